"""Seeds: the start list becomes links."""
