"""Blocks become sentences, one a line.

sentences  all text that a reader of the page could see
split      a paragraph becomes sentences; abbreviations.txt: dots that end none
"""
