"""The exchanges: a request and its answer."""
