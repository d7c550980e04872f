"""What goes wrong, a kind a row, and what becomes of it: subjects that misbehave, files, outputs, interrupts."""
