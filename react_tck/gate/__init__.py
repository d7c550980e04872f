"""A port's gate: the failures it accepts for now, and what a report means beside them."""
