"""Crossings: faults of two dimensions, each invisible in either of them alone, as programmers make them."""
