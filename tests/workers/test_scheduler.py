"""A Dask scheduler's address: what is none is refused, and nobody waits for long where none answers."""

import signal
import socket

import pytest
from hunting import camicia
from processes import WORDS, start

from camicia.errors import CamiciaError
from search.errors import HuntError
from search.workers import ClusterExecutor, scheduler_address


@pytest.mark.parametrize(
    "address",
    [
        *("", " ", "x", "nonsense", "127.0.0.1", "tcp://", "tls://", "tcp://127.0.0.1", "tcp://:1"),
        *("tcp://a:0", "tcp://a:99999", "tcp://a:8786/x", "http://a:8786", "tcp://a b:8786"),
        "tcp://a:\N{FULLWIDTH DIGIT ONE}",
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_tried(tmp_path, address):
    with pytest.raises(CamiciaError, match="expected the address of a scheduler with its port"):
        scheduler_address(address)
    if len(address) < 6:
        done = camicia(*WORDS, "--dask", address, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"--dask {address.strip()!r}: expected" in done.stderr and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["10.0.0.1:8786", "tcp://node-7.example.org:8786", "tls://[::1]:1"])
def test_addresses_are_taken_as_dask_takes_them(address):
    assert scheduler_address(address) == address


@pytest.fixture
def silent():
    """The address of somebody who accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server, f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_an_encrypted_connection_without_certificates_is_refused(silent):
    pytest.importorskip("distributed")
    with pytest.raises(CamiciaError, match="certificates"):
        ClusterExecutor(silent[1].replace("tcp", "tls"))


def test_a_port_without_listener_is_refused_at_once():
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(
        HuntError, match=rf"--dask 'tcp://127.0.0.1:{port}': no scheduler answers there \(.*refused"
    ):
        ClusterExecutor(f"tcp://127.0.0.1:{port}", patience=1e9)


def test_a_silent_scheduler_is_waited_for_no_longer_than_was_said(silent):
    pytest.importorskip("distributed")
    with pytest.raises(HuntError, match="no scheduler answers there"):
        ClusterExecutor(silent[1], patience=0.3)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_waiting_for_a_silent_scheduler_ends_on_a_signal(tmp_path, silent, number):
    pytest.importorskip("distributed")
    server, address = silent
    server.settimeout(60)

    def heed():
        signal.signal(number, signal.SIG_DFL)

    with start(*WORDS, "--dask", address, cwd=tmp_path, preexec_fn=heed) as process:
        # The first is only a look whether somebody is there.
        connections = [server.accept()[0] for _ in range(2)]
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        for connection in connections:
            connection.close()
    assert process.returncode == 130 and b"Traceback" not in errors
    assert errors.count(b"\n") <= 1
