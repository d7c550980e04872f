"""The built-in subjects, by library."""
