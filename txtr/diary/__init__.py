"""What happened: log lines, counts, the yield.

events   every event of the log, with its words; a line answers an administrator's complaint
tally    how many of everything, and how long at each activity
summary  the tally as % lines, when a program ends
yields   what the crawl has brought: in all, by domain, by language, over time
file     edge: the log files

Invariant: an event is declared in `events`, and docs/logs.md explains it; a test compares both with all
calls.
"""
