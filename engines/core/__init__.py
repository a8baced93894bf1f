"""What every game shares: the Game contract, play, events, randomness, errors, registry, replay."""
