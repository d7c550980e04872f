"""Tests of `subjects`."""
