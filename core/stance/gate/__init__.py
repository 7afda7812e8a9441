"""The stance gate: what a finished reply may not claim, promise or cling to (seed 000, §6)."""
