"""Which blocks of a page are its main content?

blocks      a page as a sequence of pieces of text, each with the boxes around it
walk        finds blocks and boxes; hints: what their names say
features    numbers about each block; trees: the learnt forest that scores them
main        the door: blocks become paragraphs of the main content
alike       repeated boxes are judged alike
repair      what belongs together stays together; companions: standfirsts, captions, code
"""
