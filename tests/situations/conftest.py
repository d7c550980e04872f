"""The empty folder of tests/api, with what docs/API.md says in it."""

from tests.api.conftest import folder

__all__ = ["folder"]
