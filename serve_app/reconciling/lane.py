"""One reconciling process and the documents that wait for it."""

import asyncio
import logging
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from serve_app.documents.isolation.channel import Channel
from serve_app.documents.isolation.child import START_SECONDS
from serve_app.documents.isolation.process import Process
from serve_app.domain.batch import Reconciled
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.packed import LabelledPages
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.budget import DEFAULT_BUDGET, Budget, count_pages
from serve_app.reconciling.messages import Broken, Start
from serve_app.telemetry.meter import timed
from serve_app.telemetry.series import STAGE_SECONDS

_WORKER = "serve_app.reconciling.worker"
_MAX_ANSWER_BYTES = 256 * 1024**2

log = logging.getLogger(__name__)


class ProcessLost(Exception):
    """The process ended while it worked, most likely killed by the kernel for its memory use."""


class Lane:
    """One document at a time, in a process that is killed when a document takes longer than `max_seconds` or more than
    its CPU budget, or nobody waits for it any more. Close it at the end."""

    def __init__(self, calibrations: Calibrations, max_seconds: float, budget: Budget = DEFAULT_BUDGET) -> None:
        self._calibrations = calibrations
        self._max_seconds = max_seconds
        self._budget = budget
        # One thread that lives as long as the lane: the process dies with the thread that started it.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reconciling")
        # Guards the two below, which a cancelled call accesses from another thread.
        self._guard = threading.Lock()
        self._process: Process | None = None
        self._current: LabelledPages | None = None
        self._channel: Channel | None = None

    @property
    def pid(self) -> int | None:
        """The process in use; None before the first document and after one was lost."""
        return self._process.pid if self._process else None

    async def reconcile(self, labelled: LabelledPages) -> Reconciled:
        """The invoices of a document. Raises DocumentError if it takes too long, ProcessLost, and whatever the work
        raises. A call that is cancelled stops the work."""
        job = self._thread.submit(self._work, labelled)
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            self._abandon(labelled)
            raise

    def close(self) -> None:
        """Kill the process, whatever it is doing; calls in progress raise ProcessLost."""
        with self._guard:
            if self._process is not None:
                self._process.kill()
        self._thread.shutdown(cancel_futures=True)
        self._drop()

    def _abandon(self, labelled: LabelledPages) -> None:
        with self._guard:
            if self._current is labelled and self._process is not None:
                self._process.kill()

    def _work(self, labelled: LabelledPages) -> Reconciled:
        channel = self._ready_channel()
        started = time.monotonic()
        with self._guard:
            self._current = labelled
        try:
            with timed(STAGE_SECONDS, stage="reconcile"):
                answer = self._ask(channel, labelled)
        finally:
            with self._guard:
                self._current = None
        if isinstance(answer, Broken):
            log.error("reconciling broke: %s\n%s", type(answer.error).__name__, answer.trace)
            raise answer.error
        reconciled: Reconciled = answer
        return reconciled._replace(seconds=time.monotonic() - started)

    def _ask(self, channel: Channel, labelled: LabelledPages) -> Any:
        deadline = time.monotonic() + self._max_seconds
        try:
            channel.send(pickle.dumps(labelled, pickle.HIGHEST_PROTOCOL), deadline)
            return pickle.loads(channel.receive(_MAX_ANSWER_BYTES, deadline))  # noqa: S301 - from our own process
        except TimeoutError:
            self._drop()
            log.warning("reconciling took too long", extra={"words": labelled.words, "pages": len(labelled.pages)})
            raise DocumentError(
                FailureCode.DOCUMENT_TOO_LARGE,
                f"The extraction took longer than {self._max_seconds:g} seconds. Split the document and send the "
                "parts.",
            ) from None
        except ConnectionError:
            if self._is_over_budget():
                raise self._budget_spent(labelled) from None
            raise ProcessLost("the reconciling process ended") from None

    def _is_over_budget(self) -> bool:
        """Whether the kernel has ended the process for its CPU time; drops the process."""
        process = self._process
        death = None if process is None else process.wait()
        self._drop()
        return death is not None and death.status == -signal.SIGXCPU

    def _budget_spent(self, labelled: LabelledPages) -> DocumentError:
        pages, seconds = count_pages(labelled), self._budget.seconds_for(labelled)
        log.warning("CPU budget of a document spent", extra={"words": labelled.words, "pages": pages})
        return DocumentError(
            FailureCode.DOCUMENT_TOO_LARGE,
            f"The extraction took over {seconds:g} seconds of processor time"
            f" ({pages} page{'s' * (pages != 1)})."
            " Send a document with fewer words on each page.",
        )

    def _ready_channel(self) -> Channel:
        if self._process is None or self._channel is None or not self._process.is_alive:
            self._drop()
            process = Process(_WORKER)
            with self._guard:
                self._process = process
            self._channel = self._greeted(Channel(process.channel_end))
        return self._channel

    def _greeted(self, channel: Channel) -> Channel:
        """Wait for a new process, so that its imports do not count towards any document's time."""
        deadline = time.monotonic() + START_SECONDS
        try:
            channel.send(pickle.dumps(Start(self._calibrations, os.getpid(), self._budget)), deadline)
            channel.receive(_MAX_ANSWER_BYTES, deadline)
        except (TimeoutError, ConnectionError):
            self._drop()
            raise ProcessLost("the reconciling process did not start") from None
        return channel

    def _drop(self) -> None:
        with self._guard:
            process, self._process = self._process, None
        self._channel = None
        if process is not None:
            process.close()
