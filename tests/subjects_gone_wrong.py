"""Factories that give no subject."""


def raises() -> object:
    raise ValueError("no licence found")


def returns_a_number() -> object:
    return 7
