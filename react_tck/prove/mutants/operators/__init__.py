"""What mutants do in the seams of the reference, as far as more than one table needs it."""
