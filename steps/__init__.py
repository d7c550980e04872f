"""What the sentences of the features do."""
