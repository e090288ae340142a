"""Script: the program that owns the queue."""

import gc
import sys
from pathlib import Path

gc.disable()  # until we know how often: to look for cycles among what is loaded takes a tenth of the start

try:
    from txtr.queuekeeper.program import main
except (ImportError, SyntaxError) as error:  # another Python than the one that texttractor.sh sets up
    here = Path(sys.argv[0]).parent
    call, setup = f"{here / '.venv/bin/python'} {sys.argv[0]} ...", f"sh {here / 'texttractor.sh'} --version"
    print(f"queuekeeper: {error}; use {call} ({setup} makes the .venv)", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
