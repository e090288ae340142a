"""Native: the dearest steps of cleaning in C, compiled by setup.sh where there is a compiler.

Invariant: each finds exactly what its twin in Python finds, from which it has its tables; where there is no
library, or it has not enough memory, it says None, and the twin does the work.

tables     lists of names, as C reads them
plain      a page's markup without a tree, if that is easy (twin: the parser)
prune      a page without what nobody reads (twin: clean/html/prune.py)
walk       the blocks and boxes of a page (twin: clean/content/walk.py)
burden     what a page would make the parser copy (twin: clean/html/costly.py)
sight      all that can be seen of a page, and its plain sentences (twins: clean/text/sentences.py, split.py)
leads      where it leads (twins: clean/links.py, urls.py)
scores     what the trees say of each block (twins: clean/content/features.py, clean/content/trees.py)
alike      the places in boxes that repeat themselves (twin: clean/content/alike.py)
page.h     a page between its steps
exponent.h digits that are raised
markup.h   how the walks read the markup that a tree is written out as
tokens.h   how pages are written by people
elements.h what each element is to whoever builds a tree
opened.h   a page as far as it is written, and what is open in it
unparsed.h elements that are read as a whole
"""
