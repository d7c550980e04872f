"""Violations of the profile `confirmation`."""
