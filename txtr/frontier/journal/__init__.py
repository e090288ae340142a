"""The journal: what was done since the database was last committed."""
