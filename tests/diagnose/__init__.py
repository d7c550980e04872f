"""Tests of `diagnose`."""
