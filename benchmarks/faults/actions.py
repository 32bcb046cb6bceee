"""What clients ask of invoices that are there: a change, another extraction, an approval, a deletion."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

import httpx

from benchmarks.faults.documents import Kind

Body = Mapping[str, object] | None

_TRIES = 40
_PAUSE_S = 1.5
# Which share of the finished invoices each is asked of.
SHARES = {"change": 0.15, "extract again": 0.12, "approve": 0.1, "delete": 0.12}


@dataclass(slots=True)
class Actions:
    """What was asked for and confirmed, by invoice. What was asked for without an answer may have happened or not."""

    tags: dict[UUID, str] = field(default_factory=dict)
    """The tag that a change was confirmed to have set."""
    reruns: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))
    """Further extractions that were accepted."""
    perhaps_rerun: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))
    """Further extractions without a known cause."""
    approvals: set[UUID] = field(default_factory=set)
    """Invoices whose approval was confirmed to be asked for."""
    deleted: set[UUID] = field(default_factory=set)
    """Invoices that are gone by the service's word."""
    refused: list[str] = field(default_factory=list)
    """Answers 4xx that nothing here deserves."""


class Owner:
    """A client that does something with the invoices that it finds finished."""

    def __init__(self, http: httpx.AsyncClient, actions: Actions, rng: Random) -> None:
        self._http = http
        self._actions = actions
        self._rng = rng

    async def act_on(self, invoice_id: UUID, status: str, kind: Kind) -> None:
        """Do one thing, or nothing, with a finished invoice that nothing was done with before. Files of several
        invoices stay whole, so that the audit can tell whether a part is missing."""
        verbs = {"change": self._change, "approve": self._approve} if status == "complete" else {}
        if kind is not Kind.BATCH:
            verbs |= {"extract again": self._extract, "delete": self._delete}
        verb = self._rng.choices([*SHARES, ""], [*SHARES.values(), 1 - sum(SHARES.values())])[0]
        if verb in verbs:
            await verbs[verb](invoice_id)

    async def _change(self, invoice_id: UUID) -> None:
        tag = f"tag-{invoice_id.hex[-6:]}"
        if await self._until_answered("PATCH", f"/v1/invoices/{invoice_id}", {"entity_tag": tag, "paid": True}) == 200:
            self._actions.tags[invoice_id] = tag

    async def _extract(self, invoice_id: UUID) -> None:
        """Asked once: what has no answer may run, and asking again would run it twice."""
        status = await self._ask("POST", f"/v1/invoices/{invoice_id}/extract", {"force": True})
        if status == 202:
            self._actions.reruns[invoice_id] += 1
        elif status is None or status >= 500:
            self._actions.perhaps_rerun[invoice_id] += 1

    async def _approve(self, invoice_id: UUID) -> None:
        body = {"email": "clerk@customer.example"}
        if await self._until_answered("POST", f"/v1/invoices/{invoice_id}/approval", body) == 200:
            self._actions.approvals.add(invoice_id)

    async def _delete(self, invoice_id: UUID) -> None:
        """Repeated until it is known to be gone: 404 after a call without an answer says so, too."""
        if await self._until_answered("DELETE", f"/v1/invoices/{invoice_id}", None, gone=True) in (204, 404):
            self._actions.deleted.add(invoice_id)

    async def _until_answered(self, method: str, path: str, body: Body, *, gone: bool = False) -> int | None:
        for _ in range(_TRIES):
            status = await self._ask(method, path, body, gone=gone)
            if status is not None and status < 500:
                return status
            await asyncio.sleep(_PAUSE_S)
        return None

    async def _ask(self, method: str, path: str, body: Body, *, gone: bool = False) -> int | None:
        try:
            answer = await self._http.request(method, path, json=body)
        except httpx.HTTPError:
            return None
        if 400 <= answer.status_code < 500 and not (gone and answer.status_code == 404):
            self._actions.refused.append(f"{method} {path}: {answer.status_code} {answer.text[:80]}")
        return answer.status_code
