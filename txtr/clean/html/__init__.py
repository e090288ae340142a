"""Html."""
