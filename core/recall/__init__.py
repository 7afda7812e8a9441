"""Recall: finding what was said before, and saying honestly how the search went."""
