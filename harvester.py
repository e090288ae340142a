"""Script: the program that fetches."""

import gc
import signal
import sys
from pathlib import Path

gc.disable()  # what is imported stays: to look through it for garbage takes a twentieth of the start
try:
    from txtr.config.commandline import asks_for
    from txtr.harvester.program import main
except (ImportError, SyntaxError) as error:  # another Python than the one that texttractor.sh sets up
    here = Path(sys.argv[0]).parent
    call, setup = f"{here / '.venv/bin/python'} {sys.argv[0]} ...", f"sh {here / 'texttractor.sh'} --version"
    print(f"harvester: {error}; use {call} ({setup} makes the .venv)", file=sys.stderr)
    sys.exit(2)

gc.freeze()
gc.enable()
if __name__ == "__main__":
    if asks_for(sys.argv[1:]):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # --help | head: end as quietly as any tool
    sys.exit(main(sys.argv[1:]))
