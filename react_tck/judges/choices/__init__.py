"""The choice points: which variant was seen at each, and whether it is the one that is declared."""
