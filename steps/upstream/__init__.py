"""Sentences of the profile `upstream`."""
