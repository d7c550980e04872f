"""What is demanded of a parser, and how one is fuzzed (PRS-001, PRS-002)."""
