"""Reads documents once more with another pair of models, after their answer was saved, while nothing else is to do."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from uuid import UUID

from serve_app.domain.batch import Section, sibling_id
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.comparison import INVOICES, Comparison, Difference, differences_of, signs_of
from serve_app.domain.errors import DocumentError
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.packed import ReadDocument
from serve_app.services.ports import Interpreter, TransientError
from serve_app.services.tasks.polling import PollingLoop
from serve_app.store.base import Comparisons, Queue
from serve_app.system.thread_pools import COMPUTING
from serve_app.telemetry.logs import RepeatedLog
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import SHADOW_DOCUMENTS

MOST_WAITING = 32
MOST_BYTES = 2_000_000
"""Words of a larger document are not kept until there is time."""
TRIES = 3
"""How often a reading may be broken off for a run; then the document is skipped."""
READ_SECONDS = 120.0
FIRST_REST = 30.0
LONGEST_REST = 1800.0
"""After a failure, nothing is read for a while, which doubles with each further one."""
_POLL_SECONDS = 1.0

log = RepeatedLog(logging.getLogger(__name__))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run has answered: `sections` as the `pair` of models read them, before people's rules were applied."""

    invoice_id: UUID
    document: ReadDocument
    sections: Sequence[Section]
    pair: str


@dataclass(frozen=True, slots=True)
class ShadowRequest:
    """A document that `other` is to read, too, as evidence of a canary if one is named."""

    answer: Answer
    other: str
    canary_id: UUID | None = None
    tries: int = 0


class ShadowReading:
    """The shadow work of one dispatcher. It is not kept in the store: what waits is lost with the process.

    It begins while nothing waits in the queue and at most `beside` runs are in progress here, and is broken off by the
    next run. Its own failures change nothing.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        queue: Queue,
        comparisons: Comparisons,
        beside: int = 0,
        clock: Clock = utc_now,
    ) -> None:
        self._interpreter = interpreter
        self._queue = queue
        self._comparisons = comparisons
        self._beside = beside
        self._clock = clock
        self._waiting: deque[ShadowRequest] = deque()
        self._runs = 0
        self._reading: asyncio.Task[None] | None = None
        self._failures = 0
        self._rests_until = 0.0
        self.loop = PollingLoop(self._turn, _POLL_SECONDS, "reading beside runs")

    def offer(self, request: ShadowRequest) -> None:
        """Read this document when there is time. Returns at once."""
        if sum(len(packet.data) for packet in request.answer.document.pages) > MOST_BYTES:
            count(SHADOW_DOCUMENTS, outcome="skipped")
            return
        if len(self._waiting) >= MOST_WAITING:
            # The newest say the most about the present.
            self._waiting.popleft()
            count(SHADOW_DOCUMENTS, outcome="skipped")
        self._waiting.append(request)
        self.loop.wake()

    def run_begins(self) -> None:
        """A run needs the machine."""
        self._runs += 1
        if self._runs > self._beside and self._reading is not None:
            self._reading.cancel()

    def run_ended(self) -> None:
        """The run does no longer."""
        self._runs -= 1
        if self._waiting:
            self.loop.wake()

    async def stop(self) -> None:
        """Break off what is being read, and read nothing more."""
        self.loop.stop()
        self._waiting.clear()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _turn(self) -> None:
        while self._waiting and not self.loop.is_stopping and await self._has_time():
            request = self._waiting.popleft()
            self._reading = asyncio.create_task(self._read(request))
            with suppress(asyncio.CancelledError):
                await asyncio.wait({self._reading})
            if self._reading.cancelled():
                self._again(request)
            self._reading = None

    async def _has_time(self) -> bool:
        if time.monotonic() < self._rests_until or self._runs > self._beside:
            return False
        waits = (await self._queue.backlog()).state.waiting
        # One may have begun meanwhile.
        return not waits and self._runs <= self._beside

    def _again(self, request: ShadowRequest) -> None:
        if request.tries + 1 < TRIES:
            self._waiting.appendleft(replace(request, tries=request.tries + 1))
        else:
            count(SHADOW_DOCUMENTS, outcome="skipped")

    async def _read(self, request: ShadowRequest) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                interpreted = await self._interpreter.interpret(request.answer.document, request.other)
            if interpreted.pair != request.other:
                raise TransientError(f"{request.other} does not work now")
            comparisons = await COMPUTING.run(self._compared, request, interpreted.sections)
            await self._comparisons.put(comparisons)
        except Exception as error:
            # Whatever it is, runs go on.
            self._failed(request, error)
        else:
            self._failures = 0
            is_changed = any(each.differences for each in comparisons)
            count(SHADOW_DOCUMENTS, outcome="changed" if is_changed else "same")

    def _failed(self, request: ShadowRequest, error: Exception) -> None:
        count(SHADOW_DOCUMENTS, outcome="failed")
        # Only its kind: its text might quote the document.
        log.error("%s has not read along: %s", request.other, type(error).__name__)
        if not isinstance(error, DocumentError):
            self._rests_until = time.monotonic() + min(FIRST_REST * 2**self._failures, LONGEST_REST)
            self._failures = min(self._failures + 1, 16)

    def _compared(self, request: ShadowRequest, read: Sequence[Section]) -> list[Comparison]:
        is_answer = request.answer.pair != FIRST
        first, candidate = (read, request.answer.sections) if is_answer else (request.answer.sections, read)
        found = Comparison(
            request.answer.invoice_id,
            request.answer.document.account_id,
            request.answer.pair if is_answer else request.other,
            self._clock(),
            is_answer,
            request.canary_id,
            signs_of(first, candidate),
        )
        if len(first) != len(candidate):
            number = Difference(INVOICES, str(len(first)), str(len(candidate)))
            return [replace(found, differences=(number,))]
        return [
            replace(
                found,
                invoice_id=sibling_id(found.invoice_id, index),
                signs=found.signs if index == 1 else None,
                differences=differences_of(mine.extraction, other.extraction),
            )
            for index, (mine, other) in enumerate(zip(first, candidate, strict=True), 1)
        ]
