"""The frontier on disk: one SQLite database under --state, with a journal beside it.

store        the frontier's state as rows, and one transaction at a time
links        the engine behind frontier/storage.py: links go from table to table
seen         how every link stands; leaf and shelves (native_shelves in C): how that is packed
keys         links, and how they stand, as numbers
domains      where a domain's rows are, and how much it has; home: the same while it is in use
queue        what is queued, in lanes: rows of packs
leases       requests that are in batches
documents    what became of links that are settled
owners       which link a text belongs to
rows         rows of other tables, which go the same way, and counts of everything
values       domains, addresses and the rest as bytes

journal      what happened is on the disk here first; deeds: what may stand in it; redo: does it again after a
             crash
database     opens the file; state_files: is the state still there?; lock: only one program changes a state
migrations   brings older versions up to date; checkpoints: work the write-ahead log in
inspection   reads a state that may be in use; verification: checks it, and counts anew what can be counted

Invariant: what happened is on the disk before anybody is told what follows from it. A kill at any moment
leaves a state that goes on.
"""
