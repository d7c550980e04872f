"""Violations of the profile `core`."""
