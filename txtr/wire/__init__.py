"""The wire: what the two programs say to each other."""
