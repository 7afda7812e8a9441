"""What only PostgreSQL needs. Nothing here is imported before an address of a server is given."""
