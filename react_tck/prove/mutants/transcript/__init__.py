"""Violations of the profile `transcript`."""
