"""The terminal as a surface: the same companion as everywhere else, spoken to by keyboard or through a pipe."""
