"""Blocks become sentences, one a line.

sentences  all text that a reader of the page could see
split      a paragraph becomes sentences; abbreviations.txt: words whose full stop ends no sentence
"""
