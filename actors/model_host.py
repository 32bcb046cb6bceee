"""Holds the model in use and swaps it without downtime. Depends on neither Ray nor torch."""

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from serve_app.domain.clock import utc_now
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.domain.usage import ComputeTime
from serve_app.system.thread_pools import MODELS

# A child of the service's logger, so that its handler and format apply here.
logger = logging.getLogger(f"serve_app.{__name__}")

# Most tokens that a window of a page holds.
MAX_WINDOW_TOKENS = 512
# Sub-word tokens per printed word, averaged over invoices: numbers split into many.
TOKENS_PER_WORD = 2.5


class HostedModel(Protocol):
    """What the host requires of a model; `read` may take seconds and blocks its thread."""

    @property
    def revision(self) -> str: ...

    @property
    def needs_pictures(self) -> bool: ...

    def read(self, documents: Sequence[Document]) -> list[Reading]: ...


# Loads the model of a deployment's `user_config` and self-tests it; raises to refuse it.
Loader = Callable[[dict[str, Any]], HostedModel]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A configuration whose model was refused."""

    user_config: dict[str, Any]
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """Which model a replica runs (None: none yet) and since when; `refusal` is set if its latest configuration was
    refused."""

    revision: str | None
    user_config: dict[str, Any]
    since: datetime
    refusal: Refusal | None = None


class ModelHost:
    """One model at a time, swapped by replacing one reference: a batch in flight ends on the model it began with."""

    def __init__(self, load: Loader, may_be_empty: bool = False, has_gpu: bool = False) -> None:
        """`may_be_empty`: a first model that is refused is only reported, as later ones are."""
        self._load = load
        self._has_gpu = has_gpu
        self._may_be_empty = may_be_empty
        self._model: HostedModel | None = None
        self._status: ModelStatus | None = None
        # Of two successive changes the second must win, however long the first takes to load.
        self._turn = asyncio.Lock()

    @property
    def status(self) -> ModelStatus | None:
        """The replica's status; None until the first model is loaded."""
        return self._status

    @property
    def needs_pictures(self) -> bool:
        """Whether the model in use needs pages with pictures."""
        return self._model is not None and self._model.needs_pictures

    async def configure(self, user_config: dict[str, Any]) -> None:
        """Load the configured model alongside the one in use, then swap.

        Raises whatever the loader raises if there is no model yet, unless the host may be empty. A later refusal leaves
        the old model in use and is only reported: an exception would make Serve stop a replica that still works.
        """
        async with self._turn:
            try:
                model = await MODELS.run(self._load, user_config)
            except Exception as error:
                if self._status is None and not self._may_be_empty:
                    raise
                present = self._status or ModelStatus(None, {}, utc_now())
                logger.exception("model refused, still using %s: %s", present.revision or "none", user_config)
                refusal = Refusal(user_config, str(error) or type(error).__name__, utc_now())
                self._status = replace(present, refusal=refusal)
                return
            before = self._status.revision if self._status else None
            logger.info("model in use: %s (before: %s)", model.revision, before or "none")
            self._model, self._status = model, ModelStatus(model.revision, user_config, utc_now())

    async def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order; the event loop stays free meanwhile."""
        if self._model is None:
            raise RuntimeError("no model configured")
        started = time.monotonic()
        readings, cpu_seconds = await MODELS.run(_read_timed, self._model, documents)
        seconds = time.monotonic() - started
        return _shared(readings, documents, seconds, ComputeTime(cpu_seconds, seconds if self._has_gpu else 0.0))


def _read_timed(model: HostedModel, documents: Sequence[Document]) -> tuple[list[Reading], float]:
    """The readings, and the seconds of CPU that they took. A network with one thread runs in the thread that calls it,
    while others of the process do other work; the threads of one with several are not known here."""
    clock = time.thread_time if os.environ.get("OMP_NUM_THREADS") == "1" else time.process_time
    started = clock()
    return model.read(documents), clock() - started


def _shared(
    readings: Sequence[Reading], documents: Sequence[Document], seconds: float, spent: ComputeTime
) -> list[Reading]:
    """The readings, each with its share of what the batch took."""
    costs = [1 + batch_cost([document], sys.maxsize) for document in documents]
    shares = [cost / sum(costs) for cost in costs]
    return [
        replace(reading, seconds=share * seconds, spent=ComputeTime(share * spent.cpu, share * spent.gpu))
        for reading, share in zip(readings, shares, strict=True)
    ]


def batch_cost(documents: Sequence[Document], budget: int) -> int:
    """The estimated number of tokens in the windows of the documents' pages. Padding is ignored: a model sorts the
    windows into batches with little of it.

    A single document never costs more than `budget`: it must fit in a batch of its own, and the model splits it.
    """
    cost = sum(page_tokens(len(page.words)) for document in documents for page in document.pages)
    return min(cost, budget) if len(documents) == 1 else cost


def page_tokens(words: int) -> int:
    """The estimated total number of tokens in the windows of a page with `words` words; windows overlap by half."""
    tokens = int(words * TOKENS_PER_WORD) + 2
    return tokens if tokens <= MAX_WINDOW_TOKENS else 2 * tokens
