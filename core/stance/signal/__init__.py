"""The deterministic signal: what a user turn is, told by rules, lexicons and a small learned layer."""
