"""Plays scenarios against a subject, judges the records, and accounts for every scenario."""
