"""The rules, one file a phase, in the order in which a match meets them.

``setup`` deal and keep missions, orders, chef cards → ``turn`` a turn begins → ``draw`` taking cards
→ ``market`` taking toppings → ``discarding`` → ``delivery`` → ``chef`` cards, also off-turn → ``rot``
what mystery bags do → ``reserve`` off-turn → ``turn`` it ends → ``scoring``. ``flow`` holds them
together: who may do what in which state.
"""
