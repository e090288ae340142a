"""The leases: requests that are in batches."""
