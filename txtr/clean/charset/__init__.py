"""Bytes become text: which encoding is it really?

decode      the order of evidence: byte order mark, header, meta tag, the bytes themselves
lookalikes  pairs of encodings that differ in few letters, windows-1250 and ISO-8859-2 above all
east_asian  encodings that can read each other's bytes
normal      one spelling for characters that look the same
"""
