"""The dearest steps of cleaning in C, each named like its twin in Python.

Invariant: each gives exactly what its twin gives, from which it has its tables. Where there is no library,
or not enough memory, it says None, and the twin does the work.

plain      a page's markup without a tree (twin: the parser)
prune walk alike trees      twins: clean/html/prune.py and clean/content/
sentences costly links      twins: clean/text/, clean/html/costly.py, clean/links.py
tables     lists of names, as C reads them
"""
