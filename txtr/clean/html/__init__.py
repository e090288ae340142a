"""Text becomes a tree, however broken it is, or markup that needs no tree.

tame      cuts what would take the parser too long; costly: counts the tags that take it long
bare      the entrance: a page's markup, and its tree where one is needed
tree      the tree as a browser sees it
prune     empties the parts of a page that nobody reads
notes     the few elements that say something about the page or lead elsewhere
parts     the part that each element plays on a walk through the page
elements  which elements are seen, which end a sentence, which lead elsewhere
"""
