"""Programs as users write them, run with the original's class and with ours."""
