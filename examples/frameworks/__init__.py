"""Agents of other libraries, connected in an environment of their own."""
