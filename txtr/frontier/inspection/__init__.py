"""Inspection: looking into a state without changing it."""
