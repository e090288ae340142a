"""PROGRAM: a miniature web on loopback addresses, to try the robot on.

web      a web as a value: hosts, and what each answers to each path
sites    the hosts of the demonstration; texts: what they say; sheets: their pages; files: their files
server   edge: any such web on sockets, with an access log
program  edge: start and stop
"""
