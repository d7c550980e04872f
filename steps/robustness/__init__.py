"""Sentences of the profile `robustness`."""
