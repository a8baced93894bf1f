"""Moves: slash commands, board buttons, the guided picker."""
