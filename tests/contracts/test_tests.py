"""The rules of the tests: none leans on another, on a private name or on chance, and each can fail."""

import ast
from contextlib import suppress

import pytest
from places import ROOT

FILES = sorted((ROOT / "tests").rglob("*.py"))

#: What draws random numbers when it is made, and must be given a seed.
GENERATORS = ("Random", "default_rng", "RandomState")

#: Private names that are public: of named tuples, notebooks, the operating system, and argparse's parsers.
ALLOWED = {"_repr_html_", "_replace", "_fields", "_asdict", "_exit", "_actions", "_SubParsersAction"}


def scripts(tree):
    """The programs that a file holds as text, which run in processes of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            with suppress(SyntaxError):
                yield ast.parse(node.value)


@pytest.fixture(scope="module", params=FILES, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def tree(request):
    """The syntax tree of a file."""
    return ast.parse(request.param.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def nodes(tree):
    """Everything in the syntax tree of a file, and in those of the programs that it holds."""
    return [node for each in (tree, *scripts(tree)) for node in ast.walk(each)]


def test_there_are_tests_to_look_at():
    assert len(FILES) > 60 and ROOT / "tests" / "contracts" / "test_tests.py" in FILES
    assert len(list(scripts(ast.parse("CODE = 'import os\\nos._exit(1)'")))) == 1


def test_no_two_files_have_one_name():
    # Files are imported by their name alone, and a folder named like a package of ours would hide it.
    names = [path.name for path in FILES if path.name != "conftest.py"]
    assert len(set(names)) == len(names)
    assert not {path.name for path in (ROOT / "tests").rglob("*") if path.is_dir()} & {"camicia", "search"}


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


def decided(test):
    """Whether it is known beforehand what comes of an assertion, such as a pair of it and its message."""
    if isinstance(test, ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.Lambda | ast.GeneratorExp):
        return True
    if isinstance(test, ast.BoolOp):
        return any(map(decided, test.values))
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.Is | ast.LtE | ast.GtE):
        # What is called twice may answer twice.
        has_call = any(isinstance(node, ast.Call) for node in ast.walk(test))
        return not has_call and ast.unparse(test.left) == ast.unparse(test.comparators[0])
    return False


@pytest.mark.parametrize("text", ["True", "(x == 1, 'a message')", "x == x", "y and 'text'", "x.a is x.a"])
def test_what_cannot_fail_is_told_from_what_can(text):
    assert decided(ast.parse(text, mode="eval").body)
    assert not decided(ast.parse(f"f({text})", mode="eval").body)


def test_assertions_can_fail(nodes):
    asserted = [node.test for node in nodes if isinstance(node, ast.Assert)]
    assert not [ast.unparse(test) for test in asserted if decided(test)]


def test_expected_errors_are_told_from_others(nodes):
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.raises":
            kind = node.args[0]
            kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
            vague = [each for each in map(ast.unparse, kinds) if each in ("Exception", "BaseException")]
            # Any error at all would do, one in the test's own lines too.
            assert not vague, ast.unparse(node)


@pytest.fixture(scope="module")
def checking():
    """Names of functions that can fail a test, such as one that runs a command and looks at its end."""
    return {"raises", "fail"} | {
        function.name
        for path in FILES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(node, ast.Assert) for node in ast.walk(function))
    }


def test_every_test_checks_something(tree, checking):
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            called = {
                node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
            }
            checks = any(isinstance(node, ast.Assert) for node in ast.walk(function))
            assert checks or called & checking, function.name
