"""A diagnostic client: what a harness speaks, what a subject can do, and which choices it makes."""
