"""Style guide 11: stations meet only in the programs, and only the edges touch the world."""

import ast
from pathlib import Path

TXTR = Path(__file__).parent.parent / "txtr"
WORDS = {
    "model",
    "errors",
    "clock",
    "deflate",
    "encoding",
    "escapes",
    "eventloop",
    "files",
    "options",
    "settings",
    "swift",
    "urls",
    "manners",
}  # everyone may know these
PROGRAMS = {
    "queuekeeper",
    "harvester",
    "launcher",
    "demo",
    "segmenter",
    "queue",
}  # these may know everyone but each other
EDGES = {"sockets", "disk", "process", "clock"}  # files that touch the world; others say "Edge:" first
WORLD = {"asyncio", "logging", "os", "random", "socket", "sqlite3", "ssl", "subprocess", "threading", "time"}


def imports(path):
    """The absolute names a module imports; a relative one has no place here."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def stations():
    for path in sorted(TXTR.rglob("*.py")):
        yield path.relative_to(TXTR).parts[0].removesuffix(".py"), path


def test_stations_meet_only_in_the_programs():
    """A station knows its own files and the words, never another station."""
    for station, path in stations():
        met = {name.split(".")[1] for name in imports(path) if name.startswith("txtr.")}
        strangers = met & PROGRAMS - {station} if station in PROGRAMS else met - WORDS - {station}
        assert not strangers, f"{path} may not import {strangers}"


def test_only_the_edges_touch_the_world():
    """Whatever decides is plain code: no sockets, no files, no sleeping, no clock."""
    for _, path in stations():
        touched = {name.split(".")[0] for name in imports(path)} & WORLD
        assert not touched or _is_edge(path), f"{path} is core, yet imports {touched}"


def _is_edge(path):
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return path.stem in EDGES or docstring.startswith("Edge: ")


def test_every_module_opens_with_what_it_is():
    """Style guide 2: a module opens with what that thing is."""
    for _, path in stations():
        module = ast.parse(path.read_text("utf-8"))
        assert not module.body or ast.get_docstring(module), f"{path} has no docstring"
