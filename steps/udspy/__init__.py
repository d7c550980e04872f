"""Sentences of the profile `udspy`."""
