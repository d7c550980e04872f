"""What public reports tell of loops like these: each rebuilt, and what the kit finds it by."""
