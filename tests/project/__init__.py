"""Tests of the repository itself: floors, packaging, examples."""
