"""The recipe for a Dask cluster over SSH, with a server of SSH that runs here."""

import os
import signal
import subprocess
import sys

import pytest
from hunting import camicia, contents, environment
from places import ROOT
from processes import GOAL, WORDS, gone
from shown import Shell

pytest.importorskip("asyncssh", reason="asyncssh is not installed")
pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

#: A server that runs what it is told. It makes the keys and the settings of the one client that it knows.
SERVER = """
import asyncio, asyncssh, pathlib, subprocess, sys

async def copy(source, target):
    while data := await source.read(1 << 16):
        target.write(data)

async def serve(channel):
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_shell(channel.command, stdout=pipe, stderr=pipe)
    await asyncio.gather(copy(process.stdout, channel.stdout), copy(process.stderr, channel.stderr))
    channel.exit(await process.wait())

async def main(folder):
    ours, theirs = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    theirs.write_private_key(folder / "id")
    theirs.write_public_key(folder / "authorized")
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=[ours], authorized_client_keys=str(folder / "authorized"),
        process_factory=serve, encoding=None,
    )
    port, key = server.get_port(), ours.export_public_key().decode().strip()
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {key}")
    (folder / "config").write_text(
        f"Host node-*\\n HostName 127.0.0.1\\n Port {port}\\n IdentityFile {folder}/id\\n"
        f" UserKnownHostsFile {folder}/known_hosts\\n"
    )
    print("ready", flush=True)
    await server.wait_closed()

asyncio.run(main(pathlib.Path(sys.argv[1])))
"""


@pytest.fixture
def home(tmp_path):
    """The home of somebody who can reach machines by the names node-1, node-2 and so on."""
    folder = tmp_path / "home" / ".ssh"
    folder.mkdir(mode=0o700, parents=True)
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, folder],
        env=environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as server:
        try:
            assert server.stdout.readline() == b"ready\n"
            yield folder.parent
        finally:
            os.killpg(server.pid, signal.SIGKILL)
    assert gone([server.pid])


def test_dask_workers_over_ssh(tmp_path, home):
    (tmp_path / "hunt").mkdir()
    shell = Shell(tmp_path / "hunt")
    script = ROOT / "examples" / "dask_cluster.py"
    words = ("ssh", "--processes", "1", "node-1", "node-2", "--", *WORDS[1:], *GOAL, "--ledger", "hunt.db")
    done = subprocess.run(
        [sys.executable, script, *words],
        cwd=shell.folder,
        env=shell.environment | {"HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "on 2 workers" in done.stdout
    assert camicia(*WORDS, *GOAL, "--ledger", "alone.db", cwd=tmp_path).returncode == 0
    assert contents(shell.folder / "hunt.db") == contents(tmp_path / "alone.db")
