"""PROGRAM: owns the frontier and answers harvesters.

keeper       the frontier's voice: a message comes in, messages go out
intake       a long report is taken in by portions
batches      what a harvester gets when it asks: rows, spread out, as many as keep it busy, as fit a message
supervision  batches that nobody answers; would more harvesters help?
status       the crawl in a few numbers
books        edge: all of it on disk
server       edge: carries bytes between callers and the keeper
program      edge: start, stop, exit codes

Invariant: the keeper decides and knows no socket; the server carries and decides nothing. A batch is on the
disk before it is sent, and an answer before it is confirmed.
"""
