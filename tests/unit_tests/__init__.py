"""Tests of `unit_tests`."""
