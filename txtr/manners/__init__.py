"""What servers and authors ask of robots, and what the robot does about trouble.

rules       the four rules of unobtrusiveness as one value: delay, hosts, requests, pause
robots      robots.txt (RFC 9309): a text becomes rules, a path becomes a verdict
matching    which rule fits a path, in bounded work
directives  noindex and nofollow, in meta tags and X-Robots-Tag headers
remedies    one table: for each kind of trouble, how often it is tried again and who is to blame
slowdown    a server that shows signs of strain is asked less often

Invariant: in doubt, a rule forbids. Nothing here knows sockets, and nothing here waits.
"""
