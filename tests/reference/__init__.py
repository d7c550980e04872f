"""Tests of `reference`."""
