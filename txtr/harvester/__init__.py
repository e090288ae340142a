"""PROGRAM: fetches what it is given, cleans it, keeps the texts, and reports.

columns      a batch is emptied by columns: one request per row at a time, each domain at its own delay
walk         the harvester's way through its batches, as values: fetch this, sleep until then, report that
page         one answer on its way through clean, segment and corpus
known_links  links that were reported lately and need not travel again
throttle     how many connections this machine and its network can take
events       what is written down of every request
line         edge: the connection to the queuekeeper, which may be cut and comes back
run          edge: does what the walk says
program      edge: start, stop, signals

Invariant (rule req-delay): a request to a domain starts no earlier than the delay after the first byte of
the previous answer. Without a lease no request starts.
"""
