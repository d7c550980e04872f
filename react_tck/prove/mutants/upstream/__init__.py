"""Violations of the profile `upstream`."""
