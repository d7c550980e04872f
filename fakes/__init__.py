"""Test doubles: the scripted LM, the tools and the mutants."""
