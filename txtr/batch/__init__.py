"""The batch: requests in rows and columns."""
