"""Creates accounts at most once per idempotency key."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import KeyReused
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.services.idempotency import KeyHolds
from serve_app.services.tasks.background import Background
from serve_app.store.base import Accounts, Idempotency

MakeAccount = Callable[[UUID], Awaitable[Account]]
"""Creates the account with this id."""


class AccountsOnce:
    """The record of the key reserves the account's id. So a retry after a crash finds the account."""

    def __init__(self, accounts: Accounts, idempotency: Idempotency, clock: Clock = utc_now) -> None:
        self._accounts = accounts
        self._holds = KeyHolds(idempotency)
        self._clock = clock
        self._background = Background()

    async def create(
        self, caller: UUID, key: str, fingerprint: str, make: MakeAccount, answer: Callable[[Account], StoredAnswer]
    ) -> tuple[StoredAnswer, bool]:
        """The answer, and whether it is that of an earlier request with this key of the same caller. Raises
        RequestInFlight, KeyReused if that request asked for something else, and what `make` raises."""
        now, name = self._clock(), f"{key}\ncreate account"
        asked = IdempotencyRecord(caller, name, new_id(), new_id(), now, held_since=now, fingerprint=fingerprint)
        held = await self._holds.take(asked)
        if held.fingerprint != fingerprint:
            raise KeyReused
        if held.answer is not None:
            return held.answer, True
        # A caller that disconnects must not leave an account without its answer.
        return await self._background.finish(self._make_held(held, make, answer))

    async def _make_held(
        self, hold: IdempotencyRecord, make: MakeAccount, answer: Callable[[Account], StoredAnswer]
    ) -> tuple[StoredAnswer, bool]:
        # An earlier request may have died between the account and its answer.
        made = await self._accounts.get(hold.invoice_id)
        async with self._holds.released_after_errors(hold):
            given = answer(made or await make(hold.invoice_id))
        await self._holds.keep_answer(hold, given)
        return given, made is not None
