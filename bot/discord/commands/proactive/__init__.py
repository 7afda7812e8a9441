"""`/proactive`: being spoken to first, for people and for those who manage servers."""
