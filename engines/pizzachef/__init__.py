"""Pizzachef: collect toppings on the market, deliver pizzas, earn the most."""
