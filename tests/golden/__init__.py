"""Whole recorded matches with a state hash per move; every later version must replay them."""
