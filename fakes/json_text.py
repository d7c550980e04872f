"""Texts that may be JSON."""

import json


def is_json(text: str) -> bool:
    """Whether the text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
