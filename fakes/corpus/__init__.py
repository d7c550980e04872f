"""Texts for parsers."""
