"""Tests of `fakes`."""
