"""Script: the program that fetches."""

import sys

from txtr.harvester.process import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
