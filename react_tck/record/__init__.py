"""What the evidence says, read off a record; it knows no verdict."""
