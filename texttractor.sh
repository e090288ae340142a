#!/bin/sh
# Starts, shows and stops the robot: sh texttractor.sh N [options]. --help tells the rest.
# What a crawl makes goes to the current directory; the code is found beside this script.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/setup.sh"
provide requirements.lock
PYTHONPATH=$here
TXTR_SCRIPT=$0 # as the user calls it: what he is told to type works as it is
export PYTHONPATH TXTR_SCRIPT
# -P: a file in the current directory must not pass for a module
exec "$here/.venv/bin/python" -P -m txtr.launcher.program "$@"
