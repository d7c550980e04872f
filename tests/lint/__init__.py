"""Tests of `lint`."""
