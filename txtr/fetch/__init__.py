"""HTTP: a request becomes a page, a redirect or a failure. All three are values.

fetcher      edge: one request, from the connection to the last byte that is wanted
connections  edge: connections are opened, kept, and compared with the address before use
exchange     edge: a request on a connection, and the head of its answer
dns          edge: names become addresses; hosts_file: addresses that the user gives
guard        which addresses may be contacted, and the limits of one answer
outcome      what the head of an answer means
unpacking    a packed body becomes a page, within limits
heads        how much the heads of all answers take at once
budget       how many bytes of all downloads are held at once
failures     edge: which trouble an exception of the network is

Invariant: the robot connects to the address that the queuekeeper named and to no other. Every request leaves
through `Fetcher.fetch`, and only because the harvester's walk gave it out.
"""
