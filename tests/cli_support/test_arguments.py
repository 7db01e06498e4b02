"""The kinds of arguments: what is read as a number or a time, and what is refused."""

import argparse
import subprocess
from importlib.util import find_spec

import pytest
from hunting import camicia, command, environment
from running import run

from search.cli_support.arguments import MOST_DEALS, count, count_or_none, count_up_to
from search.cli_support.hunt_arguments import duration


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("1_000", 1000),
        ("12,345", 12_345),
        ("1e9", 10**9),
        ("2.5e3", 2500),
        (".5M", 500_000),
        ("10.50k", 10_500),
        ("1e12", 10**12),
        # Every digit counts, beyond those that Python's decimal numbers keep.
        ("170141183460469231731687303715884105727", MOST_DEALS),
    ],
)
def test_a_number_is_read_exactly(text, number):
    assert count(text) == number


@pytest.mark.parametrize("read", [count, count_or_none, count_up_to(1000), duration])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "-1",
        "1e-3",
        "e5",
        "k",
        "nan",
        "inf",
        "1e30000000000000000000",
        "1e1000000000",
        "9" * 5000,
        "9" * 5000 + "d",
        f"2{'0' * 38}",
        f"2{'0' * 38}T",
        "\udcff",
        "1 2",
        "１",
    ],
)
def test_what_is_no_number_or_too_large_is_refused_in_a_short_line(read, text):
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        read(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


def test_an_upper_limit_is_itself_allowed():
    assert count_up_to(1000)("1k") == 1000
    with pytest.raises(argparse.ArgumentTypeError, match="expected a whole number from 1 to 1,000"):
        count_up_to(1000)("1001")


def test_two_dashes_twice_are_one_line(tmp_path):
    done = camicia("import", "x.db", "--", "--", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("kilobytes", [50_000, 60_000, 100_000, 150_000, 180_000])
def test_too_little_memory_to_begin_is_no_traceback(tmp_path, kilobytes):
    """Whichever library is the one that finds no room; NumPy's algebra has a message of its own."""
    limited = ["bash", "-c", f'ulimit -v {kilobytes}; exec "$@"', "bash", *command("info")]
    done = subprocess.run(limited, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    assert done.returncode == 0 or done.stderr


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="the extra report is not installed")
def test_a_backend_that_is_none_is_one_line(tmp_path):
    made = camicia("search", "sample", "--deals", "1", "--unit-size", "1", "--quiet", cwd=tmp_path)
    assert made.returncode == 0
    limited = environment() | {"MPLBACKEND": "nonsense"}
    done = subprocess.run(command("plot"), cwd=tmp_path, env=limited, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr and "nonsense" in done.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("serch",), "unknown command 'serch' (did you mean 'search'?)"),
        (("search", "--sede", "7"), "(did you mean '--seed'?)"),
        (("search", "enumerate", "--seed", "7"), "(an option of other strategies)"),
        (("search", "loops", "--keep", "7"), "(an option of other strategies)"),
        (("play", "J/-", "--tabel"), "(did you mean '--table'?)"),
        (("play", "J/-", "--xyzzy"), "unrecognized arguments: --xyzzy; see"),
    ],
)
def test_what_was_probably_meant_is_named(words, hint, capsys):
    code, _, err = run(capsys, *words)
    assert code == 2 and err.count("\n") == 1 and hint in err
