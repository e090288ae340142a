"""Script: the program that fetches."""

import gc
import sys
from pathlib import Path

gc.disable()  # what is imported stays: to look through it for garbage takes a twentieth of the start
try:
    from txtr.harvester.program import main
except (ImportError, SyntaxError) as error:  # another Python than the one that texttractor.sh sets up
    here = Path(sys.argv[0]).parent
    call, setup = f"{here / '.venv/bin/python'} {sys.argv[0]} ...", f"sh {here / 'texttractor.sh'} --version"
    print(f"harvester: {error}; use {call} ({setup} makes the .venv)", file=sys.stderr)
    sys.exit(2)

gc.freeze()
gc.enable()
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
