"""Tests that every game passes, found through the registry; ``hooks.py`` says how a game joins."""
