"""Which blocks of a page are its main content?

blocks      a page as a sequence of pieces of text, each with the boxes around it
walk        finds blocks and boxes; hints: what the names of boxes say
features    numbers about each block; trees: the learnt forest that scores a block by them
main        the entrance: blocks become paragraphs of the main content
alike       repeated boxes are judged alike
repair      structures are kept whole or not at all; companions: adds standfirsts, captions and code
"""
