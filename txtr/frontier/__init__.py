"""The frontier: which links are to be fetched, which were, and which server may be contacted when.

All callers use `frontier.Frontier`: links go in, requests come out as visits, answers go in, time passes.
The parts behind it, in reading order:

addresses  the states of an IP address, the unit of politeness: waiting, active, resting, processed
restarea   where addresses spend the general pause
series     what one address is asked between two pauses: max-hosts, max-reqs
domains    what is known of each server name, and its trial; backlogs: how many requests are queued for it
permits    each door's robots.txt; checks: how many links are compared with it at once; robots_requests:
           robots.txt files that are being fetched
ring       the domains of an address that can be given something to do now
waiting    the waiting addresses, in the order in which they are dealt out
ranks      promising, doubtful, hopeless: the order of requests, domains and addresses
state      the maps that join all this, and what keeps them consistent

admission  lets links in; traps: paths that grow for ever
dealing    gives requests out; plans: series that are prepared ahead; portions: how much is dealt in one go
outlook    how long an address will still take, and which one will end the crawl
promise    how usable the document behind a link may be
trials     domains that are abandoned, or brought back
troubles   domains that fail
orders     what the user decides, against the frontier too

storage    the port: what an engine that keeps links must offer. Two engines pass one test suite: memory (for
           tests, and the readable meaning of the port) and store/ (on disk)
records    what is stored of one link
build      makes a frontier as the options say

Invariants: a link is in exactly one state: queued, leased or settled. The ring of an address holds exactly
the domains that can be given something now. A request is leased only if the robots.txt of its door is known
and fresh.
"""
