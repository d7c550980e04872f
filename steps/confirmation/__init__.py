"""Sentences of the profile `confirmation`."""
