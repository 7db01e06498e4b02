"""Where units are done: the workers of a Dask cluster, which may come and go."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, TypeVar

from camicia.bench import signature
from camicia.kernels import default_kernel
from camicia.sampling import STREAM_VERSION
from camicia.version import __version__
from search.errors import ATTEMPTS, HuntError, WorkerLost

T = TypeVar("T")

#: Seconds to wait for the scheduler, and for the first worker.
PATIENCE = 20.0

#: Seconds for which the size of the cluster is taken to be what it was.
SIZE_SECONDS = 1.0

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
    """The build of this process: version, random stream, and the bench signature of the kernel that runs.

    Examples
    --------
    >>> this_build() == this_build()
    True
    """
    return Build(__version__, STREAM_VERSION, signature(default_kernel()))


class DifferingWorker(Exception):
    """Raised on a worker that is of another build than the driver."""

    def __init__(self, address: str, build: Build) -> None:
        super().__init__(address, build)
        self.address = address
        self.build = build


def _call(build: Build, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Make a call on a worker, which may have joined after the others were compared."""
    if this_build() != build:
        from distributed import get_worker

        raise DifferingWorker(get_worker().address, this_build())
    return fn(*args, **kwargs)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster.

    Versions and bench signatures of all workers are compared with the driver's before anything is done,
    and those of a worker that joins later before its first unit; one that differs is retired. Units of
    workers that are lost are run again by the scheduler.

    Parameters
    ----------
    address : str
        Where the scheduler is, such as ``tcp://10.0.0.1:8786``.
    patience : float, optional
        Seconds to wait for the scheduler and for the first worker.

    Raises
    ------
    HuntError
        If Dask is not installed, the scheduler does not answer, there is no worker, or a worker differs.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        try:
            import distributed
        except ImportError:
            raise HuntError("--dask: needs the package distributed; pip install 'camicia[cluster]'") from None
        self._address = address
        self._flying: dict[Any, Future[Any]] = {}
        self._size = 0
        self._size_until = 0.0
        self._closed = False
        try:
            self._client = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise HuntError(f"--dask {address!r}: no scheduler answers there ({error})") from None
        try:
            self._compare(patience)
        except BaseException:
            self._client.close(timeout=5)
            raise

    def _compare(self, patience: float) -> None:
        """See that every worker is of the driver's build."""
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            raise HuntError(
                f"--dask {self._address!r}: the cluster has no workers, expected some; start them with "
                f"`dask worker {self._address}`"
            ) from None
        for worker, answer in sorted(self._client.run(this_build, on_error="return").items()):
            if isinstance(answer, ModuleNotFoundError):
                raise HuntError(f"worker {worker}: has no camicia ({answer}), expected {this_build()}")
            if isinstance(answer, BaseException):
                raise HuntError(f"worker {worker}: could not tell its version ({answer!r})")
            if answer != this_build():
                raise HuntError(f"worker {worker}: is {answer}, expected {this_build()} as the driver is")

    def slots(self) -> int:
        """Units the cluster can do at once: threads of all its workers, looked up every so often.

        Raises
        ------
        HuntError
            If the scheduler is gone.
        """
        now = time.monotonic()
        if now >= self._size_until:
            if self._client.status != "running":
                raise self._gone(self._client.status)
            with suppress(OSError, TimeoutError):
                self._size = sum(self._client.nthreads().values())
            self._size_until = now + SIZE_SECONDS
        return self._size

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Hand out a call."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._send(future, (fn, args, kwargs))
        return future

    def _send(self, future: Future[Any], what: tuple[Any, ...]) -> None:
        if self._client.status != "running":
            raise self._gone(self._client.status)
        theirs = self._client.submit(_call, this_build(), *what, pure=False)
        # It is kept here: Dask forgets a call whose future nobody holds.
        self._flying[theirs] = future
        theirs.add_done_callback(lambda done: self._answer(done, what))

    def _answer(self, theirs: Any, what: tuple[Any, ...]) -> None:
        """Pass on what a call came to. Dask runs this in a thread of its own."""
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
            # The cluster was let go meanwhile.
            return
        except Exception as error:
            future.set_exception(self._translated(error))

    def _translated(self, error: Exception) -> Exception:
        if type(error).__name__ == "KilledWorker":
            # The scheduler had it run again as often as it does.
            return WorkerLost(f"one worker after the other died doing it ({error})", times=ATTEMPTS)
        if type(error).__module__.startswith("distributed"):
            return WorkerLost(f"the answer was lost ({error!r})")
        return error

    def _send_again(self, future: Future[Any], what: tuple[Any, ...]) -> None:
        try:
            self._send(future, what)
        except HuntError as error:
            future.set_exception(error)

    def _refuse(self, differing: DifferingWorker) -> None:
        """Retire a worker that joined and is of another build."""
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
            "command goes on once there is a cluster"
        )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster, which stays as it is."""
        if cancel_futures:
            self._closed = True
            with suppress(Exception):
                self._client.cancel(list(self._flying))
        for future in list(self._flying.values()):
            if wait and not cancel_futures:
                with suppress(Exception):
                    future.result()
            else:
                with suppress(InvalidStateError):
                    future.set_exception(WorkerLost("the cluster was let go"))
        self._closed = True
        with suppress(Exception):
            self._client.close(timeout=5)

    def kill(self) -> None:
        """Give up what is being done, and let go of the cluster."""
        self.shutdown(wait=False, cancel_futures=True)
