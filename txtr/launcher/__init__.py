"""PROGRAM: the launcher starts, shows and stops the other two."""
