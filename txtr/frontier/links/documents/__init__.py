"""The documents: what became of every link that is settled."""
