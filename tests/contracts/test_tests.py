"""The tests keep to their own rules: no test leans on another, on a private name, or on chance."""

import ast

import pytest
from places import ROOT

FILES = sorted((ROOT / "tests").rglob("*.py"))

#: What draws random numbers when it is made, and must be given a seed.
GENERATORS = ("Random", "default_rng", "RandomState")

#: Private names that are public: of named tuples, of the operating system, and of argparse's parsers.
ALLOWED = {"_replace", "_fields", "_asdict", "_exit", "_actions", "_SubParsersAction"}


@pytest.fixture(params=FILES, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def nodes(request):
    """Everything in the syntax tree of a file."""
    return list(ast.walk(ast.parse(request.param.read_text(encoding="utf-8"))))


def test_there_are_tests_to_look_at():
    assert len(FILES) > 60 and ROOT / "tests" / "contracts" / "test_tests.py" in FILES


def test_no_test_imports_another(nodes):
    for node in nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not [name for name in names if name.split(".")[-1].startswith("test_")]


def test_no_private_name_is_touched(nodes):
    touched = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }
    imported = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("camicia", "search")
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    }
    assert not (touched | imported) - ALLOWED


def test_random_numbers_have_a_seed(nodes):
    for node in nodes:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert name not in GENERATORS or node.args or node.keywords, ast.unparse(node)
            # The functions of the module `random` draw from a generator that nobody has given a seed.
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            is_module = isinstance(owner, ast.Name) and owner.id == "random"
            assert not is_module or name in ("Random", "SystemRandom"), ast.unparse(node)
