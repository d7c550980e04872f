"""Plays scenarios against a subject, judges the records, and accounts for every scenario."""

from pathlib import Path


def suite_path() -> Path:
    """The module pytest collects."""
    return Path(__file__).with_name("scenarios.py")
