"""Which pair of models reads a document."""

from collections.abc import Sequence
from typing import Protocol

from serve_app.domain.model_pairs import FIRST
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Queue


class Chooser(Protocol):
    """A reason to ask one pair rather than another."""

    async def __call__(self, claim: InvoiceRecord) -> str | None:
        """The pair that is to read the document; None if it does not matter. Raises Unavailable."""
        ...


class PairChoice:
    """Chooses a pair once for each run, and keeps the choice with it: a retry asks the same models.

    `has_further` says whether there is anything to choose from; `choosers` are asked in this order.
    """

    def __init__(self, queue: Queue, has_further: bool = False, choosers: Sequence[Chooser] = ()) -> None:
        self._queue = queue
        self._has_further = has_further
        self._choosers = choosers

    async def choose(self, claim: InvoiceRecord) -> str:
        """The pair for the run of this claim. Raises Unavailable."""
        if claim.pair is not None:
            return claim.pair
        if not self._has_further:
            return FIRST
        pair = await self._chosen(claim)
        await self._queue.note_pair(claim, pair)
        return pair

    async def _chosen(self, claim: InvoiceRecord) -> str:
        for chooser in self._choosers:
            if (pair := await chooser(claim)) is not None:
                return pair
        return FIRST
