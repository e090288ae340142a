"""The command python -m txtr.clean."""

import sys

from txtr.clean.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
