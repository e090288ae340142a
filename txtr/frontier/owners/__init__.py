"""The owners: which link a text, or a document's own address, belongs to."""
