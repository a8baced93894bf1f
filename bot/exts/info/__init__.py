"""Looking things up: board, hand, rules, my games."""
