"""The manual of the options: --help and the table in docs/options.md, both read off the one class."""

from txtr.config.options import FIELDS
from txtr.config.values import range_of, written


def program_help(program: str) -> str:
    """The text of --help of one of the two programs."""
    return help_text(f"usage: .venv/bin/python {program}.py [options]      (texttractor.sh makes the .venv)")


def help_text(usage: str) -> str:
    """The text of --help: how the program is called, then the options in their groups."""
    lines = [usage, "", f"  {'--help, -h, --version':<27} say this, or the version, and end", ""]
    for group, names in _groups().items():
        lines += [f"{group}:", *(_help_line(name) for name in names), ""]
    lines += ["Defaults are in brackets. config.txt holds the same options; the command line wins."]
    return "\n".join(lines)


def manual_table() -> str:
    """The table of the manual, in Markdown."""
    lines = ["| option | default | meaning |", "|---|---|---|"]
    lines.append("| `--help` (`-h`), `--version` | | say what can be said, and end |")
    for group, names in _groups().items():
        lines.append(f"| **{group}** | | |")
        for name in names:
            lines.append(f"| `{_usage(name)}` | {_default(name)} | {_meaning(name)} |")
    return "\n".join(lines)


def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, declared in FIELDS.items():
        groups.setdefault(declared.metadata["group"], []).append(name)
    return groups


def _help_line(name: str) -> str:
    default = written(FIELDS[name].default)
    known = f" [{default}]" if default else ""
    return f"  {_usage(name):<27} {_meaning(name)}{known}"


def _meaning(name: str) -> str:
    limits = range_of(name)
    return f"{FIELDS[name].metadata['help']} ({limits})" if limits else str(FIELDS[name].metadata["help"])


def _usage(name: str) -> str:
    if FIELDS[name].type is bool:
        return f"--{name}[=no]" if FIELDS[name].default else f"--{name}"
    return f"--{name}={placeholder(name)}"


def placeholder(name: str) -> str:
    """The word that stands for the value of an option."""
    return FIELDS[name].metadata["value"] or {int: "N", float: "S"}[FIELDS[name].type]  # type: ignore[index]


def _default(name: str) -> str:
    default = written(FIELDS[name].default)
    return f"`{default}`" if default else ""
