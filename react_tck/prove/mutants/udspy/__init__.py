"""Violations of the profile `udspy`."""
