"""The rules, one file a phase, in the order in which a match meets them.

``setup`` deal and keep missions, orders, chef cards → ``turn`` a turn begins → ``draw`` taking
cards → ``market`` taking toppings → ``discarding`` → ``delivery`` → ``chef`` cards, also off-turn →
``reveal`` answering Open Order → ``rot`` what mystery bags do → ``reserve`` off-turn → ``turn`` it
ends → ``scoring``. ``flow`` holds them together, ``gate`` says who may do what when, ``away`` moves
for a player who is absent, ``upkeep`` checks that nothing got lost.
"""
