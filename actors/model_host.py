"""Holds the model in use and exchanges it for another without a gap. Knows neither Ray nor torch."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from serve_app.domain.clock import utc_now
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading

# Below the service's logger, so that its handler and format hold here, too.
logger = logging.getLogger(f"serve_app.{__name__}")

# A window of a page holds at most this many tokens.
MAX_WINDOW_TOKENS = 512
# Sub-word tokens of a printed word, on average over invoices: numbers break into many.
TOKENS_PER_WORD = 2.5


class HostedModel(Protocol):
    """What the host needs of a model; `read` may take seconds and blocks its thread."""

    @property
    def revision(self) -> str: ...

    @property
    def needs_pictures(self) -> bool: ...

    def read(self, documents: Sequence[Document]) -> list[Reading]: ...


# From a deployment's `user_config` to a model that passed its self-test; raises to refuse.
Loader = Callable[[dict[str, Any]], HostedModel]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A configuration whose model was not taken."""

    user_config: dict[str, Any]
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What a replica runs since when, and the refusal of what it was last told to run, if it was refused."""

    revision: str
    user_config: dict[str, Any]
    since: datetime
    refusal: Refusal | None = None


class ModelHost:
    """One model at a time, swapped by exchanging one reference: a batch in flight ends on the model it began with."""

    def __init__(self, load: Loader) -> None:
        self._load = load
        self._model: HostedModel | None = None
        self._status: ModelStatus | None = None
        # Of two changes in a row the second must win, however long the first takes to load.
        self._turn = asyncio.Lock()

    @property
    def status(self) -> ModelStatus | None:
        """None before the first model."""
        return self._status

    @property
    def needs_pictures(self) -> bool:
        """Whether the model in use wants pages with their pictures."""
        return self._model is not None and self._model.needs_pictures

    async def configure(self, user_config: dict[str, Any]) -> None:
        """Load the configured model beside the one in use, then swap.

        Raises whatever the loader raises when there is no model yet. A later refusal leaves the old model in use and
        only reports it: raising there would make Serve stop the replica that still works.
        """
        async with self._turn:
            try:
                model = await asyncio.to_thread(self._load, user_config)
            except Exception as error:
                if self._status is None:
                    raise
                logger.exception("model refused, still using %s: %s", self._status.revision, user_config)
                refusal = Refusal(user_config, str(error) or type(error).__name__, utc_now())
                self._status = replace(self._status, refusal=refusal)
                return
            before = self._status.revision if self._status else "none"
            logger.info("model in use: %s (before: %s)", model.revision, before)
            self._model, self._status = model, ModelStatus(model.revision, user_config, utc_now())

    async def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order; the event loop stays free meanwhile."""
        if self._model is None:
            raise RuntimeError("no model configured")
        return await asyncio.to_thread(self._model.read, documents)


def batch_cost(documents: Sequence[Document], budget: int) -> int:
    """About how many tokens the windows of the documents' pages have: a model sorts them into batches with little
    padding.

    A single document never costs more than `budget`: it must fit a batch of its own, and the model splits it.
    """
    cost = sum(page_tokens(len(page.words)) for document in documents for page in document.pages)
    return min(cost, budget) if len(documents) == 1 else cost


def page_tokens(words: int) -> int:
    """About how many tokens the windows of a page with so many words have together; they overlap by half."""
    tokens = int(words * TOKENS_PER_WORD) + 2
    return tokens if tokens <= MAX_WINDOW_TOKENS else 2 * tokens
