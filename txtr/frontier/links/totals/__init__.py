"""The totals: how many links there are, by what they are."""
