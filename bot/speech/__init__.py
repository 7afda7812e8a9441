"""What the command line says, in the operator's language: Japanese or English."""
