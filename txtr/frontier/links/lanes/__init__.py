"""The lanes: what is queued, by domain, rank and door, in the order of arrival."""
