"""The sandbox: the same prompts as in production, with one thing changed, side by side, and nothing left behind."""
