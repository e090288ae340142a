"""The program that owns the frontier and answers harvesters.

keeper       decides what follows from each message, and what is said to which harvester
intake       splits a long report into portions
batches      what a harvester gets when it asks: rows, as many as keep it busy and fit into a message
supervision  batches about which a harvester is silent; would more harvesters help?
status       the crawl in a few numbers
books        edge: writes what the keeper and the frontier know to disk
server       edge: carries bytes between callers and the keeper
program      edge: start, stop, exit codes

Invariant: the keeper decides and knows no socket; the server carries bytes and decides nothing. A batch is on
the disk before it is sent, and an answer before it is confirmed.
"""
