"""The lock: only one changes a state."""
