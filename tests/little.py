"""A little disk that can be filled, where the machine lets us mount one."""

import shutil
import subprocess
from contextlib import contextmanager

import pytest


@contextmanager
def little_disk(path, size="64m"):
    path.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(path)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("may not mount a little disk")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def fill(path):
    """Until nothing more fits."""
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return
