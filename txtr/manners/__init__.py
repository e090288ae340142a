"""Manners: what servers and authors ask of robots, and what the robot does about trouble.

rules       the four rules of unobtrusiveness as one value: delay, hosts, requests, pause
robots      robots.txt (RFC 9309): a text becomes rules, a path becomes a verdict
matching    finds the rule that fits a path, in bounded work
directives  noindex and nofollow, in meta tags and X-Robots-Tag headers
remedies    one table: for each kind of trouble, how often a request is tried, and what is to blame
slowdown    asks a server less often that shows signs of strain

Invariant: in doubt, a rule forbids. No module here knows sockets, and none waits.
"""
