"""Which invoices may be claimed: see `serve_app.store.fairness`. A row with a `seat` may, one that is `waiting` may
not.

The slot's number is in a unique index: two processes that assign slots concurrently cannot assign one slot twice.
"""

import random
from dataclasses import dataclass

from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.store.fairness import HANDICAP
from serve_app.store.mongo.accounts.accounts import account_of, find_account
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import span_micros, to_micros

_TRIES = 100
WAITING: Row = {"waiting": True}
# The fields that a row loses with its slot.
LEAVE = {"seat": "", "turn": "", "next_run_at": "", "waiting": "", "claim": ""}
_BY_ACCOUNT = [("account_id", ASCENDING), ("_id", ASCENDING)]


@dataclass(frozen=True, slots=True)
class ConcurrencySlots:
    """The slots of every account: `per_account` of them, unless it or its plan has another limit."""

    per_account: int
    database: Database

    async def place(self, collections: Collections, account_id: str) -> Row:
        """Fields for a new row: a slot, if one is free and no other invoice waits for it. Another process may assign
        the same slot: then the index refuses the row."""
        taken = await self._taken(collections, account_id)
        free = await self._free(collections, account_id, taken)
        if free is None or await _is_waiting(collections, account_id):
            return WAITING
        return await self._slot_fields(account_id, free, len(taken))

    async def fill(self, collections: Collections, account_id: str) -> int:
        """Give slots to the account's waiting invoices, oldest first; returns how many."""
        filled = 0
        for _ in range(_TRIES):
            if not await _is_waiting(collections, account_id):
                break
            taken = await self._taken(collections, account_id)
            free = await self._free(collections, account_id, taken)
            if free is None:
                break
            try:
                if not await self._assign_slot(collections, account_id, free, len(taken)):
                    break
            except DuplicateKeyError:
                # Another process has assigned this slot: look again.
                continue
            filled += 1
        return filled

    async def waiting_after(self, collections: Collections, account_id: str, most: int) -> list[str]:
        """The next accounts that have a waiting invoice, in the order of their ids. One query for each account, however
        many of its invoices wait."""
        accounts: list[str] = []
        while len(accounts) < most:
            beyond = {"waiting": True, "account_id": {"$gt": account_id}}
            row = await collections.invoices.find_one(beyond, {"account_id": 1}, sort=_BY_ACCOUNT)
            if row is None:
                break
            account_id = row["account_id"]
            accounts.append(account_id)
        return accounts

    async def _taken(self, collections: Collections, account_id: str) -> set[int]:
        # All that start with the account's id and a colon; a semicolon is the character after a colon.
        span = {"$gte": f"{account_id}:", "$lt": f"{account_id};"}
        with_slot = {"account_id": account_id, "seat": span}
        rows = await collections.invoices.find(with_slot, {"seat": 1, "_id": 0}).to_list(None)
        return {int(row["seat"].rpartition(":")[2]) for row in rows}

    async def _assign_slot(self, collections: Collections, account_id: str, number: int, taken: int) -> bool:
        fields = await self._slot_fields(account_id, number, taken)
        row = await collections.invoices.find_one_and_update(
            {"account_id": account_id, "waiting": True},
            {"$set": fields, "$unset": {"waiting": ""}},
            projection={"_id": 1},
            sort=[("_id", ASCENDING)],
        )
        return row is not None

    async def _free(self, collections: Collections, account_id: str, taken: set[int]) -> int | None:
        """Any free slot: processes that look at the same moment then seldom choose the same one."""
        row = await find_account(collections, account_id)
        allowed = None if row is None else account_of(row).allowed.running
        number_of = self.per_account if allowed is None else allowed
        # Slots of a higher number may be taken since before the limit was lowered.
        free = [number for number in range(number_of) if number not in taken] if len(taken) < number_of else []
        return random.choice(free) if free else None  # noqa: S311 - no secret

    async def _slot_fields(self, account_id: str, number: int, taken: int) -> Row:
        turn = to_micros(await self.database.now()) + taken * span_micros(HANDICAP)
        # 0: claimable from the first moment, whatever the clock says.
        return {"seat": f"{account_id}:{number}", "turn": turn, "next_run_at": 0}


async def _is_waiting(collections: Collections, account_id: str) -> bool:
    waiting = {"account_id": account_id, "waiting": True}
    return await collections.invoices.find_one(waiting, {"_id": 1}) is not None
