"""Violations of the profile `conversation`."""
