"""Connecting a Python implementation with the words of the documents alone."""
