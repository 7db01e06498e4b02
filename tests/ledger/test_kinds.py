"""What is no file is neither waited for nor set aside, whichever name it is given for."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hunting import camicia, command, environment

from search.errors import LedgerError
from search.ledger import Ledger, merge, restore

KINDS = {"pipe": stat.S_ISFIFO, "socket": stat.S_ISSOCK, "folder": stat.S_ISDIR}


def put(kind, path):
    """Let something that is no file stand at a path."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_never_replaced_by_a_ledger(path, tmp_path, monkeypatch, kind):
    # The name of a socket must be short.
    monkeypatch.chdir(tmp_path)
    put(kind, place := Path("it"))
    before = sorted(os.listdir())
    with pytest.raises(LedgerError, match=r"not a regular file|Is a directory"):
        restore(place, path)
    assert KINDS[kind](os.lstat(place).st_mode) and sorted(os.listdir()) == before


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_no_copy_to_restore_from(path, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    put(kind, Path("it"))
    # In a process of its own, since a pipe might be waited for.
    done = subprocess.run(
        command("restore", "new.db", "--from", "it"),
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "not a regular file" in done.stderr or "Is a directory" in done.stderr


@pytest.mark.parametrize("name", ["", ".", "..", "/"])
def test_a_folder_is_no_ledger_to_restore(path, tmp_path, name):
    done = camicia("restore", name, "--from", path, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "Is a directory" in done.stderr


def test_names_that_lead_to_no_file_are_bad_input(path, tmp_path):
    (tmp_path / "round").symlink_to("round")
    for name in ("round", "hunt.db/x", "x" * 300, "y/" * 3000 + "x"):
        place = tmp_path / name
        for do in (
            lambda place: Ledger(place),
            lambda place: Ledger(place, "create"),
            lambda place: restore(place, path),
            lambda place: merge(place, [path]),
        ):
            with pytest.raises(LedgerError) as caught:
                do(place)
            assert type(caught.value) is LedgerError, caught.value
            assert "is there already" not in str(caught.value)


@pytest.mark.parametrize("limit", range(4, 12))
def test_with_few_descriptors_a_ledger_is_begun_or_the_lack_of_them_told(tmp_path, limit):
    words = command(
        "search", "sample", "--deck", "4:1:1:1:1", "--deals", "1", "--quiet", "--ledger", "new.db"
    )
    limited = ["sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh"]
    if subprocess.run([*limited, sys.executable, "-c", ""], capture_output=True).returncode:
        pytest.skip("Python itself does not begin")
    done = subprocess.run(
        [*limited, *words], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr


def test_a_pipe_in_the_place_of_the_backup_is_not_waited_for(path, tmp_path):
    os.mkfifo(tmp_path / "hunt.db.backup")
    (tmp_path / "deals.txt").write_text("J--/-J-\n")
    for damaged, codes in ((False, (0,)), (True, (2,))):
        if damaged:
            path.write_bytes(path.read_bytes()[:5000])
        done = subprocess.run(
            command("import", "hunt.db", "deals.txt"),
            cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode in codes and "Traceback" not in done.stderr, done.stderr
