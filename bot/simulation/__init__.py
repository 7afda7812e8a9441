"""A simulated month of speaking first: people, their days, what goes wrong, and who checks what they were sent."""
