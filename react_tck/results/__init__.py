"""What came of a run: verdicts, the ledger, what explains failures, exit statuses."""
