"""Swift: the leaves in memory in C, compiled by setup.sh where there is a compiler.

Invariant: they are what their twin in Python makes them. Where there is no library it says None, and the twin
does the work.

shelves    the leaves (twin: seen/shelves.py)
digest     what a path is recognised by (twin: keys.digest)
"""
