"""Violations of the profile `robustness`."""
