"""Fuzzing: episodes nobody wrote, held against every invariant; what fails is shrunk, kept and told."""
