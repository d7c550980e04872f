"""The reference and its mutants as subjects."""
