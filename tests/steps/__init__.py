"""Tests of `steps`."""
