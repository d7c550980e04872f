"""Sentences of the profile `core`, and what others share with it."""
