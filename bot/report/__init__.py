"""The operator's report: how the program is and what it did, as one page that needs nothing else."""
