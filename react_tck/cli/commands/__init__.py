"""A module a command, named like it."""
