"""Speaking first: what may be said, to whom, when, and whether it is still so when it is sent."""
