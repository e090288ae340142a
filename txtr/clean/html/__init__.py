"""Text becomes a tree, however broken, or markup that needs no tree.

tame      what would take the parser too long is cut; costly: the tags that are dear to it
bare      the door: a page's markup, and its tree where there must be one
tree      the tree as a browser sees it
prune     what nobody reads is taken out
notes     the few elements that say something about the page or lead elsewhere
parts     what elements are on a walk through the page
elements  which are seen, which end a sentence, which lead elsewhere
"""
