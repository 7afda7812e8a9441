"""What a turn is: pipeline, facts, stance, recall, models. No Discord, no SQL."""
