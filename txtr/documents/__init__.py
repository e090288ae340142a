"""Files that are not HTML: they are kept as they are, and their links are followed.

links  the links of PDF, office, text and feed files
"""
