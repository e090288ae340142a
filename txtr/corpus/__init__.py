"""The texts on disk.

record      a document as bytes: its metadata and its text
duplicates  a text is kept once
shards      edge: the files; half a record at the end is cut off when a file is opened again

Invariant: a record is written and synced before its document is reported.
"""
