"""The corpus: where texts and files are kept."""
