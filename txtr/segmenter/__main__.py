"""So that `python -m txtr.segmenter` runs it."""

import sys

from txtr.segmenter.process import main

raise SystemExit(main(sys.argv[1:]))
