"""TextTractor: a polite robot that gathers a corpus of one language from the web.

    seeds → frontier → batch → wire → harvester → fetch → clean → segment → corpus → report ─┐
              ↑                                                                              │
              └──────────────────────────────────────────────────────────────────────────────┘

seeds        the start list becomes links
frontier     what is to be fetched, what was; who may be contacted when
batch        requests in rows and columns
wire         what the two programs say to each other
harvester    PROGRAM: walks through a batch
fetch        one request becomes a page, a redirect or a failure
clean        bytes become sentences and links
segment      how usable is this text?
corpus       where texts are kept
report       the diary, the counts, the summary
queuekeeper  PROGRAM: owns the frontier, answers harvesters
segmenter    PROGRAM: judges texts for harvesters, at the end of a socket
launcher     PROGRAM: starts, shows and stops the other two
queue        PROGRAM: looks into the frontier's state, and changes it as the user wants
demo         PROGRAM: a miniature web on loopback addresses

A station knows its own files and the words (errors, model, clock, eventloop, encoding, escapes,
deflate, files, options, settings, urls, manners), never another station; they meet in the programs.
"""
