"""The slowest steps of cleaning, in C; each module calls C and is named like its twin in Python.

Invariant: each step gives exactly what its twin gives, and has its tables from the twin. Where there is no
library, or not enough memory, it gives None, and the twin does the work.

plain      a page's markup without a tree (twin: the parser)
prune walk alike trees      twins: clean/html/prune.py and clean/content/
sentences costly links      twins: clean/text/, clean/html/costly.py, clean/links.py
tables     lists of names, as C reads them
"""
