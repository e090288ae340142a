#!/bin/sh
# The tests: sh tests/run.sh [--quick] [pytest's arguments]. Sets up what it needs.
# --quick: what takes seconds (format, lint, types, tests that start no server), for every commit.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$here/setup.sh"
provide requirements.lock
provide requirements-test.lock
cd "$here"
PATH=$here/.venv/bin:$PATH

get_nginx() {
    command -v nginx >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "setting up nginx (once)" >&2
        # RUNLEVEL=1: installed, not started
        RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq -y nginx-light >/dev/null 2>&1 && return
        apt-get update -qq >/dev/null 2>&1 || true
        RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq -y nginx-light >/dev/null 2>&1 && return
    fi
    echo "NGINX IS MISSING: THE TESTS THAT NEED IT ARE SKIPPED" >&2
}

if [ "${1-}" = --quick ]; then
    shift
    set -- -m "not web" "$@"
else
    PATH=$PATH:/usr/sbin:/sbin
    get_nginx
fi
ruff format --check txtr tests bench *.py
ruff check txtr tests bench *.py
mypy
python -m pytest "$@"
