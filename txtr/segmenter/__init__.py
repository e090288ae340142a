"""PROGRAM: the segmenter judges texts for harvesters, at the end of a socket.

server   edge: answers harvesters, any number at once
unended  how many bytes of unfinished questions are held
program  edge: start, stop, exit codes

The judge is segment/usability.py, the protocol segment/protocol.py.
"""
