"""What is built on udspy."""
