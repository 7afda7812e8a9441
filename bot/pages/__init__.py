"""What all pages have in common: their colours, a few rules of style, and how they are filled in."""
