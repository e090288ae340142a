"""What is to be fetched, what was, and who may be contacted when.

`frontier.Frontier` is the only door: links go in, requests come out as visits, answers go in, time passes.
Behind it, in reading order:

addresses  an IP address, the unit of politeness, is waiting, active, resting or processed: one table of moves
restarea   where addresses spend the general pause
series     what one address is asked between two pauses: max-hosts, max-reqs
domains    what is known of each server name, and whether it is worth going on with; backlogs: how much is
           queued for it
permits    each server's robots.txt; checks: links compared with it in portions; robots_requests: robots.txt
           files that are being fetched
ring       the domains of an address that can be given something to do now
waiting    the waiting addresses, in the order in which they are dealt out
ranks      promising, doubtful, hopeless: the order of all of the above
state      the maps that join all this, and what keeps them consistent

admission  links come in; traps: paths that grow for ever
dealing    requests go out; plans: series prepared ahead; portions: how much is dealt in one go
outlook    how long an address will still take; trouble for the end of the crawl is seen there
promise    how usable a document behind a link may be
trials     domains that are abandoned, or brought back
troubles   domains that fail
orders     what the user decides, whatever the frontier thinks

storage    the port: what an engine that keeps links must offer. Two engines pass one test suite: memory (for
           tests, and the readable meaning of the port) and store/ (on disk)
records    what is kept of one link
build      a frontier as the options say

Invariants: a link is queued, leased, or settled, and only one of them. The ring of an address holds exactly
the domains that can be given something now. Nothing is leased for a server whose robots.txt is not known and
fresh.
"""
