"""Clean: bytes become sentences and links.

decode     bytes -> text
tree       text -> tree, however broken
sentences  tree -> lines; a block ends a sentence
links      tree -> links
aside      files that are not HTML: their links
page       all of that for one page: the station's door
"""
