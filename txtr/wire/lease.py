"""The lease: how long a harvester may work without hearing from the queuekeeper.

A harvester sends a ping with its own time; the echo extends its lease from that time. A harvester starts no
request without a lease, and breaks off requests under way shortly after losing it. The queuekeeper waits
longer than both times together before it gives up the harvester's batches. So no harvester that runs, however
stalled or cut off, can be at an address that another harvester has been given.

A process that is stopped (SIGSTOP) cannot break anything off. It has one request per row under way, which
ends when the server has answered. The queuekeeper hears nothing from such a harvester, but its connection
stands; when a harvester dies, the system ends its connection. So a silent harvester whose connection stands
is given more time, as much as a request may take at all (--total-timeout), before others are sent to its
addresses. A machine that is suspended or loses its power counts as silent too, and costs no more than that
time.
"""

PING_EVERY = 2.0  # seconds
LEASE = 10.0  # seconds a harvester may start requests after a ping that was answered
BREAK_OFF = 3.0  # seconds after the lease until requests under way are broken off
PATIENCE = LEASE + BREAK_OFF + 2.0  # seconds of silence after which the queuekeeper gives batches up
