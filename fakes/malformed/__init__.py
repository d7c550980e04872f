"""Replies whose form is broken."""
