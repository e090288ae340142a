"""The database: one file of SQLite that holds the state."""
