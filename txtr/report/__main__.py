"""So that `python -m txtr.report` runs it."""

import sys

from txtr.report.program import main

raise SystemExit(main(sys.argv[1:]))
