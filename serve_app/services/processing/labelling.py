"""Both models of a pair label the words of a document."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from uuid import UUID

from serve_app.documents.packing import grouped
from serve_app.domain.packed import PackedPages, ReadDocument
from serve_app.domain.reading import Reading
from serve_app.services.ports import FieldModel, TransientError
from serve_app.services.processing.fair_semaphore import FairSemaphore
from serve_app.services.processing.retry import with_retries
from serve_app.telemetry.tally import stage

Readings = tuple[Reading, ...]
"""One model's readings of consecutive pages."""

_ROUNDS = 3
LONG_LABELLING = 4
"""How many groups of pages of long documents are with a pair at a time: a CPU labels one in a second or two."""


class Labelling:
    """A pair of models; one that is out of reach is asked again for `retry_seconds`."""

    def __init__(self, extractor: FieldModel, verifier: FieldModel, retry_seconds: float) -> None:
        self._extractor = extractor
        self._verifier = verifier
        self._retry_seconds = retry_seconds
        self._semaphore = FairSemaphore(LONG_LABELLING)

    async def label(self, document: ReadDocument) -> tuple[Readings, Readings]:
        """The readings of extractor and verifier. Raises TransientError, and what a model raises."""
        groups = grouped(document.pages)
        try:
            async with asyncio.TaskGroup() as group:
                first = group.create_task(self._label_with("extract", self._extractor, document.account_id, groups))
                second = group.create_task(self._label_with("verify", self._verifier, document.account_id, groups))
        except BaseExceptionGroup as errors:
            # One cause is enough to end the run; callers recognise it by its own type.
            raise errors.exceptions[0] from None
        return first.result(), second.result()

    async def _label_with(
        self, name: str, model: FieldModel, account_id: UUID, groups: Sequence[Sequence[PackedPages]]
    ) -> Readings:
        with stage(name):
            try:
                return await self._labelled(model, account_id, groups)
            except TransientError as error:
                raise TransientError(f"model to {name}: {error}") from error

    async def _labelled(self, model: FieldModel, account_id: UUID, groups: Sequence[Sequence[PackedPages]]) -> Readings:
        """Some pages at a time. Those of long documents take turns: short ones need not wait for all of them."""
        readings: list[Reading] = []
        for _ in range(_ROUNDS):
            readings = []
            for number, group in enumerate(groups):
                place = self._semaphore.turn(number, account_id) if len(groups) > 1 else nullcontext()
                async with place:
                    readings.append(await with_retries(partial(model.read, group), self._retry_seconds, "model"))
            # The model may be swapped at any time; one model is to read all pages.
            if len({reading.model for reading in readings}) == 1:
                return tuple(readings)
        # Some pages need the fallback of a model, however often it is asked: the result names both.
        both = "+".join(sorted({reading.revision for reading in readings}))
        return tuple(replace(reading, revision=both, sha256="") for reading in readings)
