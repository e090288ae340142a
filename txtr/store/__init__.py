"""The frontier on disk: one SQLite database under --state, with a journal beside it.

store        writes the frontier's state as rows, one transaction at a time
links        the engine behind frontier/storage.py: moves links from table to table
seen         the standing of every link; leaf, shelves (native_shelves in C): how standings are packed
keys         links and their standings as numbers
domains      each domain's number and backlog as a row; home: the same while the domain is in use
queue        requests that are queued; lanes, packs: how they lie in rows
leases       requests that are in batches
documents    the fates of links that are settled
owners       the link that each text belongs to
rows         rows of all other tables, and the totals
values       domains, addresses and the rest as bytes

journal      the files that every step is written to first; deeds: what a step is made of; redo: does them
             again after a crash
database     opens the file; state_files: is the state still there?; lock: lets one program change a state
migrations   brings older versions up to date; checkpoints: copy the write-ahead log into the database
inspection   reads a state that may be in use; verification: checks a state, and repairs its counts

Invariant: a step is on the disk before any program is told what follows from it. A kill at any moment leaves
a state that a crawl can go on with.
"""
