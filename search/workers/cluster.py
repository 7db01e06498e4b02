"""An executor that runs units on the workers of a Dask cluster, which may come and go."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError, wait
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from camicia.errors import CamiciaError
from search.errors import ATTEMPTS, HuntError, WorkerLost
from search.workers.builds import DifferingWorker, checked_call, scheduler_address, see_open, this_build

T = TypeVar("T")

#: Seconds to wait for the scheduler, and for the first worker.
PATIENCE = 20.0

#: Seconds without an answer after which a scheduler that answered before is considered lost.
SILENCE = 60.0

#: Seconds for which a scheduler may be gone before the hunt ends: a new one under its address is used.
ABSENCE = 600.0

#: Seconds between two attempts to find it.
RETRY_SECONDS = 2.0

#: Seconds for which the last known size of the cluster is reused.
SIZE_SECONDS = 1.0

#: Seconds allowed for disconnecting from a cluster.
CLOSING_SECONDS = 3.0

#: Seconds between two checks for a stop while waiting for the scheduler.
TICK = 0.1

log = logging.getLogger(__name__)


class _Call(NamedTuple):
    future: Future[Any]
    what: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class ClusterExecutor(Executor):
    """The workers of a Dask cluster.

    Versions and bench signatures of all workers are compared with the driver's before any work is done,
    and those of a worker that joins later before its first unit; one that differs is retired. The
    scheduler reruns the units of lost workers. If the scheduler itself is lost, a new one under its address
    gets all calls that have no answer yet.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://10.0.0.1:8786``.
    patience : float, optional
        Seconds to wait for the scheduler and for the first worker.
    silence : float, optional
        Seconds without an answer after which the scheduler is considered lost.
    absence : float, optional
        Seconds for which a lost scheduler is waited for.
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
        absence: float = ABSENCE,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._address = scheduler_address(address)
        self._patience = patience
        self._silence = silence
        self._absence = absence
        self._stop = stop
        try:
            import distributed
        except ImportError:
            raise HuntError("--dask: needs the package distributed; pip install 'camicia[cluster]'") from None
        _silence_logs()
        # The calls that are on the cluster, and those that wait for a scheduler.
        self._flying: dict[Any, _Call] = {}
        self._waiting: list[_Call] = []
        self._lost_at: float | None = None
        self._return: Future[Any] | None = None
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
            self._client = self._within(2 * patience, self._joined)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, CamiciaError):
                raise
            what = str(error).partition("\n")[0] or f"no answer in {patience:.0f} s"
            raise HuntError(f"--dask {address!r}: no scheduler answers there ({what})") from None
        try:
            self._compare(self._client, patience)
        except BaseException:
            self._leave()
            raise

    def _joined(self) -> Any:
        """Connect to the scheduler."""
        import distributed

        # A port without a listener is refused at once; Dask would try it repeatedly.
        see_open(self._address, self._patience)
        return distributed.Client(self._address, timeout=self._patience, set_as_default=False)

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

    def _compare(self, client: Any, patience: float) -> None:
        """Check that every worker has the driver's build."""
        try:
            self._within(2 * patience, lambda: client.wait_for_workers(1, timeout=patience))
        except TimeoutError:
            raise HuntError(
                f"--dask {self._address!r}: the cluster has no workers, expected some; start them with "
                f"`dask worker {self._address}`"
            ) from None
        try:
            answers = self._within(self._silence, lambda: client.run(this_build, on_error="return").items())
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

        It is 0 while the scheduler is waited for.

        Raises
        ------
        HuntError
            If the scheduler is gone for too long.
        """
        now = time.monotonic()
        if self._lost_at is not None or self._client.status != "running":
            self._look_for_scheduler(now)
        elif now >= self._size_until:
            self._ask_size(now)
        return self._size

    def _look_for_scheduler(self, now: float) -> None:
        """See whether a lost scheduler is back, or give it up; nothing waits for it."""
        if self._lost_at is None:
            self._lost_at, self._size = now, 0
            log.warning("%s; waiting for it", self._gone(self._client.status))
        if self._return is None:
            self._return = _begun(self._return_to_scheduler)
        elif self._return.done():
            error = self._return.exception()
            if error is None:
                self._take_up(self._return.result())
            elif isinstance(error, CamiciaError):
                # It is back, but not with workers of this build.
                raise error
            self._return = None
        if self._lost_at is not None and now > self._lost_at + self._absence:
            raise self._gone(f"for {self._absence:.0f} s")

    def _return_to_scheduler(self) -> Any:
        """Connect to a new scheduler and its workers."""
        time.sleep(RETRY_SECONDS)
        client = self._joined()
        try:
            client.wait_for_workers(1, timeout=self._patience)
            self._compare(client, self._patience)
        except BaseException:
            _try(lambda: client.close(timeout=CLOSING_SECONDS))
            raise
        return client

    def _take_up(self, client: Any) -> None:
        """Use a new scheduler: it gets every call that has no answer yet."""
        old, self._client = self._client, client
        lost, self._flying = list(self._flying.values()) + self._waiting, {}
        self._lost_at, self._size_until, self._asked, self._waiting = None, 0.0, None, []
        _begun(lambda: old.close(timeout=CLOSING_SECONDS))
        log.warning("--dask %r: the scheduler is back; %d calls are made again", self._address, len(lost))
        for call in lost:
            if not call.future.done():
                self._send(call)

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
        if self._closed:
            raise RuntimeError("the cluster was let go")
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._send(_Call(future, (fn, args, kwargs)))
        return future

    def _send(self, call: _Call) -> None:
        if self._client.status != "running":
            self._waiting.append(call)
            return
        theirs = self._client.submit(checked_call, this_build(), *call.what, pure=False)
        # It is kept here, because Dask forgets a call whose future is not held.
        self._flying[theirs] = call
        theirs.add_done_callback(self._answer)

    def _answer(self, theirs: Any) -> None:
        """Pass on the outcome of a call. Dask runs this in its own thread."""
        call = self._flying.pop(theirs, None)
        if call is None or self._closed:
            return
        future = call.future
        try:
            if theirs.status == "finished":
                future.set_result(theirs.result())
            elif theirs.status == "error":
                raise theirs.exception()
            elif self._client.status == "running":
                raise WorkerLost(f"the cluster gave the unit up ({theirs.status})")
            else:
                # The scheduler is lost; the next one gets it.
                self._waiting.append(call)
        except DifferingWorker as error:
            self._refuse(error)
            self._send(call)
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
        for future in [call.future for call in [*self._flying.values(), *self._waiting]]:
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


def _silence_logs() -> None:
    """Keep Dask and Tornado from printing what we report in one line."""
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in ("distributed", "tornado"):
            logger.setLevel(logging.CRITICAL + 1)
