"""The house keeps its order: arrows run one way, doors are used, and no file is too long to take in."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from places import ROOT

#: Packages and modules from the bottom up: each may import those before it and itself, nothing after it.
FLOORS = (
    "camicia",
    "search.errors",
    "search.finds",
    "search.campaign",
    "search.scan",
    "search.strategies",
    "search.workers",
    "search.ledger",
    "search.verify",
    "search.shards",
    "search.driver",
    "search.report",
    "search.session",
    "search.cli_support",
    "search.commands",
    "search.cli",
    "search.__main__",
)

#: Packages with a door: from outside only the package itself is imported, none of its modules.
DOORS = ("search.ledger", "search.report", "search.session", "search.strategies.loops", "search.workers")

#: Names of modules that may be imported within a function, which keeps start-up short.
LATE = {
    "camicia.cards": "other notations are rarely read, and they read deals themselves",
    "search": "a worker or a short command needs none of what is exported",
    "search.cli": "only the command that is asked for is imported",
}

#: Suffixes of source files.
SUFFIXES = (".py", ".pyx", ".pxd", ".pxi", ".h")

MOST_LINES = 400
MOST_FILES_AT_THE_TOP = 10


def sources(*folders: str) -> list[Path]:
    """The source files of packages."""
    return sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES
    )


def module_of(path: Path) -> str:
    """The name of the module of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in sources("camicia", "search")}


def as_module(name: str) -> str:
    """The module that holds a dotted name; empty if it is none of ours."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def imports_of(path: Path) -> set[str]:
    """The modules of ours that a file imports, for C or for Python.

    What is imported within a function counts too, but for those few modules that may do so.
    """
    text = path.read_text()
    found = set()
    if path.suffix == ".py":
        tree = ast.parse(text)
        for node in tree.body if module_of(path) in LATE else ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {as_module(f"{node.module}.{alias.name}") for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {as_module(alias.name) for alias in node.names}
    else:
        for package, names in re.findall(r"^\s*from (\S+) c?import \(?([^()\n]*)", text, re.MULTILINE):
            found |= {as_module(f"{package}.{name.strip()}") for name in names.split(",")}
    return {name for name in found if name} - {module_of(path)}


def all_imports() -> dict[str, set[str]]:
    """What each module imports, its declarations for other compiled modules included."""
    graph: dict[str, set[str]] = {}
    for path in sources("camicia", "search"):
        graph.setdefault(module_of(path), set()).update(imports_of(path))
    return {name: found - {name} for name, found in graph.items()}


def floor_of(module: str) -> int:
    """The number of the floor that a module lies on."""
    fitting = [
        number for number, name in enumerate(FLOORS) if module == name or module.startswith(f"{name}.")
    ]
    return fitting[-1] if fitting else len(FLOORS)


def test_no_import_cycle():
    # A package that makes its modules' names its own is imported by them in no case, so it may import them.
    try:
        TopologicalSorter(all_imports()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_arrows_run_one_way():
    upward = [
        f"{module} -> {other}"
        for module, imported in all_imports().items()
        for other in imported
        if module != "search" and floor_of(other) > floor_of(module)
    ]
    assert not upward


@pytest.mark.parametrize("door", DOORS)
def test_departments_are_entered_by_their_door(door):
    past = [
        f"{module} -> {other}"
        for module, imported in all_imports().items()
        for other in imported
        if other.startswith(f"{door}.") and module != door and not module.startswith(f"{door}.")
    ]
    assert not past


def test_late_imports_have_a_reason():
    late = []
    for path in sources("camicia", "search"):
        if path.suffix != ".py":
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                ours = isinstance(node, ast.ImportFrom) and node.module and as_module(node.module)
                if ours and module_of(path) not in LATE:
                    late.append(f"{path.name}:{node.lineno}")
    assert not late


def test_the_game_does_not_know_the_hunt():
    assert not [
        f"{path.name}:{number}"
        for path in sources("camicia")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(r"\bsearch[./]|camicia search", line)
    ]


def test_no_file_has_to_be_scrolled():
    long = {
        str(path.relative_to(ROOT)): count
        for path in sources("camicia", "search", "tests", "benchmarks")
        if (count := len(path.read_text().splitlines())) > MOST_LINES
    }
    assert not long


def test_the_hall_is_small():
    files = [path.name for path in (ROOT / "search").iterdir() if path.is_file() and path.suffix != ".so"]
    assert len(files) <= MOST_FILES_AT_THE_TOP, files
