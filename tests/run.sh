#!/bin/sh
# The tests: sh tests/run.sh [--quick | --long] [pytest's arguments]. Sets up what it needs.
# --quick: what takes seconds (format, lint, types, tests that start no server), for every commit.
# --long: also the tests marked `long`, which take minutes by nature; a small sample of each is in every run.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$here/setup.sh"

install() {
    # RUNLEVEL=1: installed, not started
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$@" >/dev/null 2>&1
}

# get COMMAND PACKAGE...: the system's packages that have a command
get() {
    wanted=$1
    shift
    command -v "$wanted" >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "setting up $wanted (once)" >&2
        install "$@" && return
        apt-get update -qq >/dev/null 2>&1 || true
        install "$@" && return
    fi
    echo "$wanted IS MISSING: THE TESTS THAT NEED IT ARE SKIPPED" >&2
}

get cc gcc libc6-dev
provide requirements.lock
provide requirements-test.lock
cd "$here"
PATH=$here/.venv/bin:$PATH

case "${1-}" in
--quick)
    shift
    set -- -m "not web and not long" "$@"
    ;;
*)
    PATH=$PATH:/usr/sbin:/sbin
    get nginx nginx-light
    if [ "${1-}" = --long ]; then
        shift
    else
        set -- -m "not long" "$@"
    fi
    ;;
esac
ruff format --check txtr tests bench *.py
ruff check txtr tests bench *.py
mypy
# a worker a core; a file's tests stay together, for they share their crawls
python -m pytest -n auto --dist loadfile "$@"
