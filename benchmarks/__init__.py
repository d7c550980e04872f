"""How fast the kit is: `make bench`."""
