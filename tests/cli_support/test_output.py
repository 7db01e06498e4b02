"""The files that commands write: whole or not at all, wherever their name leads."""

import os
import re
import stat
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hunting import camicia, command, environment

from search.cli import main
from search.cli_support.output import write_file, written
from search.errors import HuntError
from search.ledger import Ledger


def mode(path):
    """The permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask():
    """The permissions that new files get are those of the umask 027."""
    old = os.umask(0o027)
    yield
    os.umask(old)


def test_a_new_file_has_the_permissions_of_the_umask_and_an_old_one_keeps_its_own(tmp_path, umask):
    path = tmp_path / "file"
    write_file(path, "new")
    assert mode(path) == 0o640
    for permissions in (0o600, 0o664, 0o755):
        path.chmod(permissions)
        write_file(path, "again")
        assert mode(path) == permissions


def test_links_are_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link, chain = tmp_path / "folder" / "target", tmp_path / "link", tmp_path / "chain"
    link.symlink_to("folder/target")
    chain.symlink_to(link)
    # The first leads to what is not there yet.
    for content in ("new", "again"):
        write_file(chain, content)
        assert chain.is_symlink() and link.is_symlink() and target.read_text() == content
    assert len(list(tmp_path.iterdir())) == 3 and len(list((tmp_path / "folder").iterdir())) == 1


def test_a_device_stays_a_device(tmp_path):
    (tmp_path / "null").symlink_to(os.devnull)
    write_file(tmp_path / "null", "lost")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode) and (tmp_path / "null").is_symlink()
    with pytest.raises(HuntError, match="file '/dev/full': cannot be written: No space left on device"):
        write_file("/dev/full", "lost")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_pipe_with_a_name_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "content")
    reader.join()
    assert read == ["content"] and pipe.is_fifo()


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_what_is_written_to_standard_output_stands_between_what_others_print_there(tmp_path, name):
    (tmp_path / "link").symlink_to("/dev/stdout")
    view = " ".join(command("view", "J--/-J-", "--out", name))
    done = subprocess.run(
        ["sh", "-c", f"{{ echo before; {view}; echo after; }} > page.html"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "page.html").read_text()
    assert text.startswith("before\n<!doctype html>") and text.endswith("after\n")
    # The name of the file is printed too, unless it is that of standard output for us.
    assert ("</html>" in text) and (name == "-" or f"\n{name}\nafter" in text)


def test_a_function_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def write(file):
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written(path, write)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_name_may_be_as_long_as_any(tmp_path):
    path = tmp_path / ("x" * 255)
    write_file(path, "content")
    assert path.read_text() == "content"


def test_many_write_one_file_at_once(tmp_path):
    path = tmp_path / "file"
    contents = {f"{number} " * 10_000 for number in range(60)}
    with ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda content: write_file(path, content), contents))
    assert path.read_text() in contents and list(tmp_path.iterdir()) == [path]


#: Commands with the option --out.
WRITERS = ("export", "report", "plot", "view")


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["", ".", "..", "/", "folder", "folder/", "none/", "none/.."])
def test_the_name_of_a_folder_is_bad_input(tmp_path, monkeypatch, capsys, writer, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    what = "J/-"
    if writer != "view":
        Ledger("hunt.db", "create").close()
        what = "hunt.db"
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as end:
        main([writer, what, "--out", name])
    assert end.value.code == 2 and sorted(tmp_path.rglob("*")) == before
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and f"file {name!r}: expected the name of a file" in error


@pytest.mark.parametrize("writer", WRITERS)
def test_a_folder_that_is_not_there_is_a_failure(tmp_path, monkeypatch, capsys, writer):
    monkeypatch.chdir(tmp_path)
    Ledger("hunt.db", "create").close()
    assert main([writer, "J/-" if writer == "view" else "hunt.db", "--out", "none/file"]) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(
        r"camicia: file 'none/file\S*': cannot be written: No such file or directory\n", error
    )


def test_two_pictures_cannot_both_go_to_standard_output(tmp_path):
    Ledger(tmp_path / "hunt.db", "create").close()
    done = camicia("plot", "hunt.db", "--out", "-", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "") and "expected --format with it" in done.stderr
    done = camicia("plot", "hunt.db", "--out", "-", "--format", "png", cwd=tmp_path, text=False)
    assert done.stdout.startswith(b"\x89PNG") and done.returncode == 0


def test_a_reader_who_leaves_a_named_pipe_ends_the_command_quietly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Many cards make a page larger than a pipe holds.
    deal = "-" * 60_000 + "/J"
    with subprocess.Popen(
        command("view", deal, "--out", "pipe"), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE
    ) as process:
        pipe.open("rb").close()
        assert (process.wait(timeout=60), process.stderr.read()) == (-13, b"")
