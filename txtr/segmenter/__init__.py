"""PROGRAM: the judge we ship, at the end of a socket: `python -m txtr.segmenter`."""
