"""The lease: how long a harvester may work without hearing from the queuekeeper.

A harvester sends a ping with its own time; the echo extends its lease from that time. It starts
no request without a lease, and breaks off what is under way shortly after losing it. The
queuekeeper waits longer than both together before it gives the harvester's batches up. So no
harvester that runs, however stalled or cut off, can be at an address that another has been given.

A process that is stopped (SIGSTOP) cannot break anything off: the one request per row that it has under way
ends when the server has answered it. To the queuekeeper it is silent, but its line still stands; from the
line of one that has died the system says so. So whoever is silent on a line that stands is given as much
longer as a request may take at all (--total-timeout) before others are sent to where it was. A
machine that is suspended or loses its power counts as such, and costs no more than that time.
"""

PING_EVERY = 2.0  # seconds
LEASE = 10.0  # seconds a harvester may start requests after a ping that was answered
BREAK_OFF = 3.0  # seconds after the lease until requests under way are broken off
PATIENCE = LEASE + BREAK_OFF + 2.0  # seconds of silence after which the queuekeeper gives batches up
