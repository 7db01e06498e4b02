"""The recipe for a Dask cluster over SSH, with a server of SSH that runs here."""

import asyncio
import os
import subprocess
import threading

import pytest
from hunting import camicia, contents, environment
from places import ROOT
from processes import GOAL, WORDS
from shown import Shell

asyncssh = pytest.importorskip("asyncssh", reason="asyncssh is not installed")
pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


class Server:
    """A server of SSH that knows one key and runs what it is told, in a thread of its own.

    Parameters
    ----------
    home : Path
        A folder to which the key and the settings of a client are written.
    """

    def __init__(self, home):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        folder = home / ".ssh"
        folder.mkdir(mode=0o700)
        ours, theirs = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
        theirs.write_private_key(folder / "id")
        theirs.write_public_key(folder / "authorized")
        self._processes = []
        options = {"server_host_keys": [ours], "authorized_client_keys": str(folder / "authorized")}
        listening = self._listen(process_factory=self._serve, **options)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result(60)
        port = self._server.get_port()
        (folder / "config").write_text(
            f"Host node-*\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {folder / 'id'}\n"
            f"  UserKnownHostsFile {folder / 'known_hosts'}\n"
        )
        key = ours.export_public_key().decode().strip()
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {key}\n")

    async def _listen(self, **options):
        return await asyncssh.listen("127.0.0.1", 0, **options)

    async def _serve(self, channel):
        process = await asyncio.create_subprocess_shell(
            channel.command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._processes.append(process.pid)
        await channel.redirect(stdout=process.stdout, stderr=process.stderr)
        channel.exit(await process.wait())

    def end(self):
        """Stop."""
        self._server.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def home(tmp_path):
    """The home of somebody who can reach machines by the names node-1, node-2 and so on."""
    folder = tmp_path / "home"
    folder.mkdir()
    server = Server(folder)
    yield folder
    server.end()


def test_dask_workers_over_ssh(tmp_path, home):
    (tmp_path / "hunt").mkdir()
    shell = Shell(tmp_path / "hunt")
    done = subprocess.run(
        [
            *("python", ROOT / "examples" / "dask_cluster.py", "ssh", "--processes", "1", "node-1", "node-2"),
            *("--", *WORDS[1:], *GOAL, "--ledger", "hunt.db"),
        ],
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
