"""Holds the model in use and exchanges it for another without a gap. Knows neither Ray nor torch."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from serve_app.domain.document import Document
from serve_app.domain.reading import Reading

# Below the service's logger, so that its handler and format hold here, too.
logger = logging.getLogger(f"serve_app.{__name__}")

# A page's windows hold at most this many tokens, whatever the page: the cost of a page in a batch.
MAX_WINDOW_TOKENS = 512
# Sub-word tokens of a printed word, on average over invoices: numbers break into many.
TOKENS_PER_WORD = 2.5


class HostedModel(Protocol):
    """What the host needs of a model; `read` may take seconds and blocks its thread."""

    @property
    def revision(self) -> str: ...

    def read(self, documents: Sequence[Document]) -> list[Reading]: ...


# From a deployment's `user_config` to a model that passed its self-test; raises to refuse.
Loader = Callable[[dict[str, Any]], HostedModel]


class ModelHost:
    """One model at a time, swapped by exchanging one reference: a batch in flight ends on the model it began with."""

    def __init__(self, load: Loader) -> None:
        self._load = load
        self._model: HostedModel | None = None

    @property
    def revision(self) -> str | None:
        """The revision in use; None before the first `configure`."""
        return self._model.revision if self._model else None

    async def configure(self, user_config: dict[str, Any]) -> None:
        """Load the configured model beside the one in use, then swap.

        Raises whatever the loader raises when there is no model yet. A later refusal leaves the old model in use and
        only reports it: raising there would make Serve stop the replica that still works.
        """
        try:
            model = await asyncio.to_thread(self._load, user_config)
        except Exception:
            if self._model is None:
                raise
            logger.exception("model refused, still using %s: %s", self._model.revision, user_config)
            return
        logger.info("model in use: %s (before: %s)", model.revision, self.revision)
        self._model = model

    async def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order; the event loop stays free meanwhile."""
        if self._model is None:
            raise RuntimeError("no model configured")
        return await asyncio.to_thread(self._model.read, documents)


def batch_cost(documents: Sequence[Document], budget: int) -> int:
    """Tokens that the documents' pages cost as one padded batch: longest window times their number.

    A single document never costs more than `budget`: it must fit a batch of its own, and the model splits it.
    """
    lengths = [page_tokens(len(page.words)) for document in documents for page in document.pages]
    cost = max(lengths, default=0) * len(lengths)
    return min(cost, budget) if len(documents) == 1 else cost


def page_tokens(words: int) -> int:
    """About how many tokens the longest window of a page with so many words has."""
    return min(int(words * TOKENS_PER_WORD) + 2, MAX_WINDOW_TOKENS)
