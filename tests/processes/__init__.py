"""Tests of `processes`."""
