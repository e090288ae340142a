"""So that `python -m txtr.segmenter` runs it."""

import sys

from txtr.segmenter.program import main

raise SystemExit(main(sys.argv[1:]))
