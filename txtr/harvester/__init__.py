"""PROGRAM: the harvester fetches what it is dealt, cleans it, keeps the texts, and reports.

columns      a batch is emptied by columns: one request per row at a time, each domain at its own delay
walk         the harvester's way through its batches, as values: fetch this, sleep until then, report that
page         one answer on its way through clean, segment and corpus
known_links  links that were reported lately and need not travel again
throttle     how many connections this machine and its network can take
events       the event and the counts that each request and each document give
line         edge: the connection to the queuekeeper, which is made again when it is cut
run          edge: does what the walk says
program      edge: start, stop, signals

Invariant (rule req-delay): a request to a domain starts no earlier than the delay after the first byte of
the previous answer. Without a lease no request starts.
"""
