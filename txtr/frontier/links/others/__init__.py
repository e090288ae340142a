"""The others: rows of tables that are not the links'."""
