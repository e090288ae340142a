"""The checkpoints: how the write-ahead log gets into the database."""
