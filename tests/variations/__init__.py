"""Tests of `variations`."""
