"""The phases of Papà Paolo, one file each; ``rules.ROUND`` puts them in order."""
