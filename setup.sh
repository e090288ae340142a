# Sourced by texttractor.sh and tests/run.sh, with $here set to the project's directory:
# `provide LOCK` gives $here/.venv exactly the packages of that lock file, once, and the compiled steps
# if there is a compiler; without one Python takes them, which takes longer.
# A copy of the lock file inside .venv is the stamp; it is written last, so that a set-up
# which was interrupted is done again.

refuse() {
    echo "texttractor: $*" >&2
    exit 2
}

is_recent() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if is_recent "$python"; then
            return
        fi
    done
    refuse "Python 3.11 or newer is needed, and none was found (python3 is $(python3 --version 2>/dev/null || echo missing))"
}

make_venv() {
    find_python
    if [ -e "$here/.venv" ] && [ ! -O "$here/.venv" ]; then
        refuse "$here/.venv is somebody else's, and its Python cannot be used by you; work in a copy of $here"
    fi
    echo "setting up Python's virtual environment (once)" >&2
    if ! made=$("$python" -m venv --clear "$here/.venv" 2>&1); then
        echo "$made" >&2
        refuse "$python -m venv failed; on Debian and Ubuntu: apt-get install python3-venv"
    fi
}

sources() {
    (cd "$here" && find txtr/native/src -name "*.$1" | LC_ALL=C sort)
}

# A copy of the sources beside the library is its stamp.
compile() {
    rm -f "$here/.venv/native.c" &&
        (cd "$here" && "${CC:-cc}" -O2 -ffp-contract=off -shared -fPIC -o ".venv/native.so.$$" $(sources c) -lm) &&
        mv "$here/.venv/native.so.$$" "$here/.venv/native.so" &&
        (cd "$here" && cat $(sources '[ch]')) >"$here/.venv/native.c"
}

provide() {
    is_recent "$here/.venv/bin/python" || make_venv
    (cd "$here" && cat $(sources '[ch]')) | cmp -s - "$here/.venv/native.c" || compile 2>/dev/null || true
    cmp -s "$here/$1" "$here/.venv/$1" && return
    echo "setting up the packages of $1 (once)" >&2
    if ! made=$("$here/.venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/$1" 2>&1); then
        echo "$made" >&2
        refuse "pip could not install the packages of $1"
    fi
    cp "$here/$1" "$here/.venv/$1"
}
