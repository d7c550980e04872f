"""Proving that everything that can be green can be red."""
