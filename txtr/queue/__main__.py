"""So that `python -m txtr.queue` runs it."""

import sys

from txtr.queue.program import main

raise SystemExit(main(sys.argv[1:]))
