"""Tests of `suite`."""
