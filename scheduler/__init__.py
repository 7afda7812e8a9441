"""When things happen on their own: APScheduler jobs and what they call."""
