"""Diary."""
