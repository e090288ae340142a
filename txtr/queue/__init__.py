"""PROGRAM: looks into the frontier's state, and changes it as the user wants."""
