"""Sentences of the profile `conversation`."""
