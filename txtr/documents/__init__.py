"""Files that are not HTML. They are kept as they are; their links are followed.

links  the links of PDF, office, text and feed files
"""
