"""Fetch: one request becomes a page, a redirect or a failure."""
