"""Changes of how a case is played under which its requirement must hold all the same."""
