"""dspy's adapters, made to write and read as the reference wants it."""
