"""What only SQLite needs: its connections, its errors, what deleting leaves behind in its file."""
