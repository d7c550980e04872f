"""Tests of `catalogue`."""
