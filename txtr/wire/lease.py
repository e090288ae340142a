"""The lease: how long a harvester may work without hearing from the queuekeeper.

A harvester sends a ping with its own time; the echo extends its lease from that time. It starts
no request without a lease, and breaks off what is under way shortly after losing it. The
queuekeeper waits longer than both together before it gives the harvester's batches up. So no
harvester that runs, however stalled or cut off, can be at an address that another has been given.

One limit: a process that is stopped (SIGSTOP) cannot break anything off. The one request per row that
it has under way ends when the server has answered it, even if that takes longer than our patience.
"""

PING_EVERY = 2.0  # seconds
LEASE = 10.0  # seconds a harvester may start requests after a ping that was answered
BREAK_OFF = 3.0  # seconds after the lease until requests under way are broken off
PATIENCE = LEASE + BREAK_OFF + 2.0  # seconds of silence after which the queuekeeper gives batches up
