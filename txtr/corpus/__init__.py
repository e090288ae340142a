"""The texts on disk.

record      what is kept of a document, beside its text, as bytes
duplicates  a text is kept once
shards      edge: the files; a torn record at the end is cut off when a file is opened again

Invariant: a record is written and synced before its document is reported.
"""
