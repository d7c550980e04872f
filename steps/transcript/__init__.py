"""Sentences of the profile `transcript`."""
