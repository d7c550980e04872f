"""What is built on dspy."""
