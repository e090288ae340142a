"""Lets `python -m txtr.segmenter` run the segmenter."""

import sys

from txtr.segmenter.program import main

raise SystemExit(main(sys.argv[1:]))
