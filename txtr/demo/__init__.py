"""PROGRAM: a miniature web on loopback addresses."""
