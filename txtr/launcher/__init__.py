"""PROGRAM: starts a crawl, shows it, stops it (`sh texttractor.sh`).

command       what the user wants, read from the words of the command line
checks        edge: before a start, what cannot work is refused; file_checks: the files
start         edge: a new crawl, one that goes on, or what a running one lacks
launch        edge: all processes or none
staff         edge: more harvesters, or fewer
running       edge: finds the crawl that runs here, shows it, stops it
follow        edge: stays attached until the crawl ends
demo          edge: the miniature web beside a crawl of it
files         edge: the files by which a crawl is recognised
processes     edge: started detached, recognised, signalled
ports         edge: is a port free, does somebody listen?
announcement, progress, findings   the words that are shown; output: edge: shows them
program       edge: obeys the command

Invariant: a start leaves all processes running or none. Nothing is stopped that is not recognised as ours.
"""
