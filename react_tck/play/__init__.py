"""Plays episodes against a subject and keeps their records."""
