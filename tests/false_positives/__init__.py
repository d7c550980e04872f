"""The false-positive check: subjects that are right, of whom the kit may hold nothing against any."""
