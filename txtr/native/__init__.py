"""The C library: the slowest steps of the robot, written a second time in C.

setup.sh compiles src/*.c into one library where there is a compiler. `library` finds the library and makes
sure that it was made from exactly these sources. Where there is none, `library` gives None and everything
runs in Python.

Invariant: each step in C gives what its twin in Python gives, and tests compare the two. C is called from
where the work is done: clean/native/ and store/native_shelves.py.

plain.c      a page's markup without building a tree (twin: the parser)
prune.c      a page without what nobody reads        (clean/html/prune.py)
walk.c       the blocks and boxes of a page          (clean/content/walk.py)
trees.c      the scores of the blocks                (clean/content/features.py and trees.py)
alike.c      the places inside repeated boxes        (clean/content/alike.py)
sentences.c  all visible text, plain sentences       (clean/text/sentences.py and split.py)
links.c      where a page leads                      (clean/links.py and urls.py)
costly.c     tags that cost the parser much          (clean/html/costly.py)
shelves.c    which links are known                   (store/shelves.py)
digest.c     the digest of a path                    (store/keys.py)
The headers are what several of them share: page.h (a page between its steps), markup.h, tokens.h, elements.h,
opened.h, unparsed.h (how markup is read), exponent.h (raised digits).
"""
