"""How usable is a text for the corpus that the user wants?

usability  a number from 0 to 1, and the judge that is built in
language   which language is a passage written in?
protocol   the question to a segmenter at the end of a socket, as bytes (docs/segmenter.md)
spool      questions that are not answered yet
judges     edge: built in, at the end of a socket, or none

Invariant: a question stays in the spool until it is answered or the built-in judge decides instead.
"""
