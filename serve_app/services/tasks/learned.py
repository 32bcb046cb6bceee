"""What is learned from an account's decisions, kept in the memory of a process."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

from serve_app.domain.errors import ServiceError
from serve_app.services.tasks.background import Background
from serve_app.store.base.charts import ExamplesState

_MOST_ACCOUNTS = 50
"""Of which a process keeps what was learned."""

S = TypeVar("S")
M = TypeVar("M")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Known(Generic[S, M]):
    """What was learned with this setup from these decisions."""

    model: M
    setup: S
    state: ExamplesState


class LearnedByAccount(Generic[S, M]):
    """Learns once for an account, and again in the background after further decisions: a document never waits for
    that, but for its account's first one in a process, and for the first after a change of what the account has set
    up."""

    def __init__(
        self,
        name: str,
        state: Callable[[UUID], Awaitable[ExamplesState]],
        learn: Callable[[UUID, S], Awaitable[M]],
    ) -> None:
        self._name = name
        self._state = state
        self._learn_from = learn
        self._known: OrderedDict[UUID, _Known[S, M]] = OrderedDict()
        self._learning: set[UUID] = set()
        self._background = Background()

    async def model(self, account_id: UUID, setup: S, *, waits: bool = False) -> M:
        """What was learned about the account. Whoever `waits` gets what the latest decisions teach, too."""
        known = self._known.get(account_id)
        if known is None or known.setup != setup:
            return await self._learn(account_id, setup)
        if known.state == await self._state(account_id):
            return known.model
        if waits:
            return await self._learn(account_id, setup)
        if account_id not in self._learning:
            self._learning.add(account_id)
            self._background.start(self._learn_again(account_id, setup))
        return known.model

    async def idle(self) -> None:
        """Returns once nothing is learned any more."""
        await self._background.idle()

    async def _learn_again(self, account_id: UUID, setup: S) -> None:
        try:
            await self._learn(account_id, setup)
        except ServiceError as error:
            log.warning("%s not learned: %r", self._name, error)
        finally:
            self._learning.discard(account_id)

    async def _learn(self, account_id: UUID, setup: S) -> M:
        state = await self._state(account_id)
        model = await self._learn_from(account_id, setup)
        self._known[account_id] = _Known(model, setup, state)
        self._known.move_to_end(account_id)
        while len(self._known) > _MOST_ACCOUNTS:
            self._known.popitem(last=False)
        return model
