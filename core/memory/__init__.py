"""What people want kept about themselves: asked for in their own words, kept only once they say yes."""
