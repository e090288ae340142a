"""The house: who may import whom, and who may touch the world. The floors are those of txtr/__init__.py."""

import ast
from functools import cache
from pathlib import Path

import pytest

from txtr import FLOORS, ROOMS

TXTR = Path(__file__).parent.parent / "txtr"
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names.split()}
WORLD = set(
    """
    aiohttp asyncio concurrent fcntl getpass logging multiprocessing os random resource secrets select
    selectors shutil signal socket sqlite3 ssl subprocess tempfile threading time
    """.split()  # noqa: SIM905
)
FILES = {"exists", "mkdir", "open", "read_bytes", "read_text", "stat", "unlink", "write_bytes", "write_text"}
# They read what the program is made of (its tables, its code in C), as an import does: anybody may use them.
PROGRAM = {"txtr.data", "txtr.native.library"}
MODULES = {
    ".".join(path.relative_to(TXTR.parent).with_suffix("").parts): path
    for path in sorted(TXTR.rglob("*.py"))
    if path.name != "__init__.py"
}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imported(path: Path) -> frozenset[str]:
    """Absolute names that a module imports; of ours, the modules."""
    found = set[str]()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively"
            found |= {_module(f"{node.module}.{alias.name}") for alias in node.names}
    return frozenset(found)


def _module(name: str) -> str:
    parent = name.rpartition(".")[0]
    return parent if name not in MODULES and parent in MODULES else name


def package(module: str) -> str:
    return module.split(".")[1]


def is_edge(path: Path) -> bool:
    return (ast.get_docstring(tree(path)) or "").startswith("Edge: ")


def touched(path: Path) -> set[str]:
    """What of the world a module knows: its libraries, edges of ours, and files by pathlib."""
    libraries = {name for name in imported(path) if name.partition(".")[0] in WORLD}
    edges = {name for name in imported(path) & MODULES.keys() - PROGRAM if is_edge(MODULES[name])}
    calls = {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    files = calls & FILES if "pathlib.Path" in imported(path) else set()
    return libraries | edges | files


def test_every_package_has_a_floor_and_every_floor_its_packages():
    there = {
        path.name.removesuffix(".py") for path in TXTR.iterdir() if path.suffix == ".py" or path.is_dir()
    }
    assert there - {"__init__", "__pycache__"} == set(FLOOR)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module):
    """To the same package or to a lower floor; never up, never sideways. The words may know each other."""
    for name in imported(MODULES[module]) & MODULES.keys():
        here, there = package(module), package(name)
        is_down = FLOOR[there] < FLOOR[here] or FLOOR[here] == FLOOR[there] == 0
        assert here == there or is_down, f"{module} may not import {name}"


@pytest.mark.parametrize("module", sorted(MODULES.keys() - PROGRAM))
def test_an_edge_says_so_and_nobody_else_touches_the_world(module):
    """Both directions: what touches the world, or knows an edge, is one, and no other module is."""
    if not module.endswith(".__main__"):
        assert is_edge(MODULES[module]) == bool(touched(MODULES[module])), touched(MODULES[module])


@pytest.mark.parametrize("folder", sorted({path.parent for path in TXTR.rglob("*.py")}), ids=str)
def test_a_folder_has_three_modules_or_is_a_room_that_waits_for_them(folder):
    modules = [path for path in folder.rglob("*.py") if not path.stem.startswith("__")]
    assert len(modules) >= 3 or str(folder.relative_to(TXTR)) in ROOMS


@pytest.mark.parametrize("path", sorted(TXTR.rglob("*.py")), ids=lambda path: str(path.relative_to(TXTR)))
def test_every_module_opens_with_what_it_is(path):
    assert ast.get_docstring(tree(path))
