"""An executor that runs units on the workers of a Dask cluster, which may come and go."""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError, wait
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, TypeVar

from camicia.bench import signature
from camicia.deals.sampling import STREAM_VERSION
from camicia.errors import CamiciaError
from camicia.kernels.dispatch import default_kernel
from camicia.version import __version__
from search.errors import ATTEMPTS, HuntError, WorkerLost

T = TypeVar("T")

#: Seconds to wait for the scheduler, and for the first worker.
PATIENCE = 20.0

#: Seconds without an answer after which a scheduler that answered before is considered lost.
SILENCE = 60.0

#: Seconds for which the last known size of the cluster is reused.
SIZE_SECONDS = 1.0

#: Seconds allowed for disconnecting from a cluster.
CLOSING_SECONDS = 3.0

#: Seconds between two checks for a stop while waiting for the scheduler.
TICK = 0.1

#: The form of a scheduler's address.
_ADDRESS = re.compile(r"((?:tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):(\d{1,5})", re.ASCII)

log = logging.getLogger(__name__)


class Build(NamedTuple):
    """What must be the same on driver and workers for units to be the same."""

    version: str
    stream: int
    signature: str

    def __str__(self) -> str:
        return f"camicia {self.version}, stream {self.stream}, bench {self.signature}"


@cache
def this_build() -> Build:
    """Return the build of this process: version, random stream, and the bench signature of its kernel.

    Examples
    --------
    >>> this_build() == this_build()
    True
    """
    return Build(__version__, STREAM_VERSION, signature(default_kernel()))


def scheduler_address(text: str) -> str:
    """Check the form of a scheduler's address, without connecting to it.

    Raises
    ------
    CamiciaError
        If it is none.

    Examples
    --------
    >>> scheduler_address("tcp://10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    """
    match = _ADDRESS.fullmatch(text)
    if not match or not 1 <= int(match[3]) <= 65535:
        raise CamiciaError(
            f"--dask {text!r}: expected the address of a scheduler with its port, such as tcp://10.0.0.1:8786"
        )
    return text


class DifferingWorker(Exception):
    """Raised on a worker whose build differs from the driver's."""

    def __init__(self, address: str, build: Build) -> None:
        super().__init__(address, build)
        self.address = address
        self.build = build


def _call(build: Build, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Make a call on a worker, which may have joined after the builds were compared."""
    if this_build() != build:
        from distributed import get_worker

        raise DifferingWorker(get_worker().address, this_build())
    return fn(*args, **kwargs)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster.

    Versions and bench signatures of all workers are compared with the driver's before any work is done,
    and those of a worker that joins later before its first unit; one that differs is retired. The
    scheduler reruns the units of lost workers.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://10.0.0.1:8786``.
    patience : float, optional
        Seconds to wait for the scheduler and for the first worker.
    silence : float, optional
        Seconds without an answer after which the scheduler is considered lost.
    stop : callable, optional
        Returns True to give up waiting.

    Raises
    ------
    CamiciaError
        If the address is none.
    HuntError
        If Dask is not installed, the scheduler does not answer, there is no worker, or a worker has another
        build.
    KeyboardInterrupt
        If `stop` returns True meanwhile.
    """

    def __init__(
        self,
        address: str,
        patience: float = PATIENCE,
        *,
        silence: float = SILENCE,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._address = scheduler_address(address)
        self._silence = silence
        self._stop = stop
        try:
            import distributed
        except ImportError:
            raise HuntError("--dask: needs the package distributed; pip install 'camicia[cluster]'") from None
        _silence_logs()
        self._flying: dict[Any, Future[Any]] = {}
        self._size = 0
        self._size_until = 0.0
        self._closed = False
        self._asked: Future[dict[str, int]] | None = None
        self._asked_at = 0.0
        encrypted = distributed.Security().get_connection_args("client").get("ssl_context")
        if address.startswith("tls://") and encrypted is None:
            raise CamiciaError(
                f"--dask {address!r}: an encrypted connection needs certificates, expected their files in "
                "distributed.comm.tls of Dask's configuration"
            )
        try:
            # A port without a listener is refused at once; Dask would try it repeatedly.
            self._within(patience, lambda: _see_open(address, patience))
            self._client = self._within(
                patience, lambda: distributed.Client(address, timeout=patience, set_as_default=False)
            )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, CamiciaError):
                raise
            what = str(error).partition("\n")[0] or f"no answer in {patience:.0f} s"
            raise HuntError(f"--dask {address!r}: no scheduler answers there ({what})") from None
        try:
            self._compare(patience)
        except BaseException:
            self._leave()
            raise

    def _within(self, seconds: float, call: Callable[[], T]) -> T:
        """Make a Dask call that may never return; if so, it is abandoned in its own thread.

        Raises
        ------
        TimeoutError
            If it has not returned in that time.
        KeyboardInterrupt
            If a stop is requested.
        """
        answer = _begun(call)
        end = time.monotonic() + seconds
        while not answer.done():
            if self._stop():
                raise KeyboardInterrupt
            if time.monotonic() >= end:
                raise TimeoutError
            wait([answer], TICK)
        return answer.result()

    def _compare(self, patience: float) -> None:
        """Check that every worker has the driver's build."""
        try:
            self._within(2 * patience, lambda: self._client.wait_for_workers(1, timeout=patience))
        except TimeoutError:
            raise HuntError(
                f"--dask {self._address!r}: the cluster has no workers, expected some; start them with "
                f"`dask worker {self._address}`"
            ) from None
        try:
            answers = self._within(
                self._silence, lambda: self._client.run(this_build, on_error="return").items()
            )
        except OSError:
            raise self._gone("no answer") from None
        for worker, answer in sorted(answers):
            if isinstance(answer, ModuleNotFoundError):
                raise HuntError(f"worker {worker}: has no camicia ({answer}), expected {this_build()}")
            if isinstance(answer, BaseException):
                raise HuntError(f"worker {worker}: could not tell its version ({answer!r})")
            if answer != this_build():
                raise HuntError(f"worker {worker}: is {answer}, expected {this_build()} as the driver is")

    def slots(self) -> int:
        """Return how many units the cluster can run at once: the threads of all workers, refreshed regularly.

        Raises
        ------
        HuntError
            If the scheduler is gone.
        """
        now = time.monotonic()
        if now >= self._size_until:
            if self._client.status != "running":
                raise self._gone(self._client.status)
            self._ask_size(now)
        return self._size

    def _ask_size(self, now: float) -> None:
        """Ask for the size of the cluster, or check for the answer; nothing waits for it."""
        if self._asked is None:
            self._asked, self._asked_at = _begun(lambda: self._client.nthreads()), now
            # Wait briefly for the first answer, so that a run begins with the right size.
            wait([self._asked], SIZE_SECONDS if not self._size else 0)
        if self._asked.done():
            with suppress(Exception):
                self._size = sum(self._asked.result().values())
            self._asked, self._size_until = None, now + SIZE_SECONDS
        elif now > self._asked_at + self._silence:
            raise self._gone(f"no answer in {self._silence:.0f} s")

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Submit a call."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._send(future, (fn, args, kwargs))
        return future

    def _send(self, future: Future[Any], what: tuple[Any, ...]) -> None:
        if self._client.status != "running":
            raise self._gone(self._client.status)
        theirs = self._client.submit(_call, this_build(), *what, pure=False)
        # It is kept here, because Dask forgets a call whose future is not held.
        self._flying[theirs] = future
        theirs.add_done_callback(lambda done: self._answer(done, what))

    def _answer(self, theirs: Any, what: tuple[Any, ...]) -> None:
        """Pass on the outcome of a call. Dask runs this in its own thread."""
        future = self._flying.pop(theirs, None)
        if future is None or self._closed:
            return
        try:
            if theirs.status == "finished":
                future.set_result(theirs.result())
            elif theirs.status == "error":
                raise theirs.exception()
            elif self._client.status == "running":
                raise WorkerLost(f"the cluster gave the unit up ({theirs.status})")
            else:
                raise self._gone(self._client.status)
        except DifferingWorker as error:
            self._refuse(error)
            self._send_again(future, what)
        except InvalidStateError:
            # The cluster was disconnected meanwhile.
            return
        except Exception as error:
            future.set_exception(self._translated(error))

    def _translated(self, error: Exception) -> Exception:
        if type(error).__name__ == "KilledWorker":
            # The scheduler has used up its retries.
            return WorkerLost(f"one worker after the other died doing it ({error})", times=ATTEMPTS)
        if type(error).__module__.startswith("distributed"):
            # Dask's own text names internal sockets.
            return WorkerLost(f"the answer was lost ({type(error).__name__})")
        return error

    def _send_again(self, future: Future[Any], what: tuple[Any, ...]) -> None:
        try:
            self._send(future, what)
        except HuntError as error:
            future.set_exception(error)

    def _refuse(self, differing: DifferingWorker) -> None:
        """Retire a worker that joined with another build."""
        log.warning(
            "worker %s: is %s, expected %s as the driver is; it is refused",
            differing.address,
            differing.build,
            this_build(),
        )
        with suppress(Exception):
            self._client.retire_workers([differing.address], close_workers=True)

    def _gone(self, status: str) -> HuntError:
        return HuntError(
            f"--dask {self._address!r}: the scheduler is gone ({status}); what was committed stays, the same "
            "command resumes once there is a cluster"
        )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which keeps running."""
        if cancel_futures:
            self._closed = True
            _try(lambda: self._client.cancel(list(self._flying)))
        for future in list(self._flying.values()):
            if wait and not cancel_futures:
                with suppress(Exception):
                    future.result()
            else:
                with suppress(InvalidStateError):
                    future.set_exception(WorkerLost("the cluster was let go"))
        self._closed = True
        self._leave()

    def _leave(self) -> None:
        _try(lambda: self._client.close(timeout=CLOSING_SECONDS))

    def kill(self) -> None:
        """Cancel the calls in progress, and disconnect from the cluster."""
        self.shutdown(wait=False, cancel_futures=True)


def _begun(call: Callable[[], T]) -> Future[T]:
    """Start a call in a thread that does not keep the process alive."""
    answer: Future[T] = Future()

    def make() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=make, daemon=True, name="call of the cluster").start()
    return answer


def _try(call: Callable[[], object]) -> None:
    """Make a call whose failure does not matter, and wait briefly for it to end."""
    wait([_begun(call)], CLOSING_SECONDS + 1)


def _see_open(address: str, seconds: float) -> None:
    """See that something listens there."""
    match = _ADDRESS.fullmatch(address)
    assert match is not None
    socket.create_connection((match[2].strip("[]"), int(match[3])), seconds).close()


def _silence_logs() -> None:
    """Keep Dask and Tornado from printing what we report in one line."""
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in ("distributed", "tornado"):
            logger.setLevel(logging.CRITICAL + 1)
