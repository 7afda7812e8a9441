"""Looking after a running program: what it is doing, whether it is well, and telling its operator."""
