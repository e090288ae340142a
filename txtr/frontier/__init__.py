"""The frontier: what is to be fetched, what was, and who may be contacted when."""
