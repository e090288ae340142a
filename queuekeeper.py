"""Script: the program that owns the queue."""

import sys

from txtr.queuekeeper.process import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
