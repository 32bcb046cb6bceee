"""Clients that send documents and do not give up: each has an account, a key and a pace of its own."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from uuid import UUID

import httpx

from benchmarks.faults.actions import Owner
from benchmarks.faults.documents import Document
from benchmarks.faults.ledger import FINISHED, Call, Ledger, Outcome
from benchmarks.faults.site_of_files import FileSite

_WAIT_SHARE, _LOOK_SHARE, _URL_SHARE = 0.2, 0.5, 0.15
# How long to look for the end of an invoice that something is to be done with.
_LOOKS, _LOOK_PAUSE_S = 20, 3.0
# One document in this many has an Idempotency-Key.
_KEYED, _HELD_PAUSE_S = 4, 3.0
# Longer than the service holds a call with wait=true.
_TIMEOUT_S = 90.0


@dataclass(frozen=True, slots=True)
class Account:
    """Who a client is."""

    id: UUID
    key: str


class Client:
    """Sends its documents one after the other, each until it is accepted, and looks at some afterwards."""

    def __init__(
        self, url: str, account: Account, ledger: Ledger, seed: int, pause_s: float, files: FileSite | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {account.key}"}
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=_TIMEOUT_S)
        self._account = account
        self._ledger = ledger
        self._rng = Random(f"{seed}/{account.id}")  # noqa: S311 - variety, not secrecy
        self._pause_s = pause_s
        self._files = files
        self._owner = Owner(self._http, ledger.actions, self._rng)
        self._looking: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """End its connections."""
        await self._http.aclose()

    async def send_all(self, documents: Sequence[Document]) -> None:
        """Returns when every document was accepted; those whose key an earlier call holds come again at the end."""
        held = [document for document in documents if not await self._send_with_retries(document)]
        while held:
            await asyncio.sleep(_HELD_PAUSE_S)
            held = [document for document in held if not await self._send_with_retries(document)]
        await asyncio.gather(*self._looking)

    async def _send_with_retries(self, document: Document) -> bool:
        """Send it until it is accepted, and look at some; False where an earlier call of it is still in flight."""
        call = await self._send_until_answered(document)
        if call.outcome is Outcome.IN_FLIGHT:
            return False
        await asyncio.sleep(self._rng.uniform(0, 2 * self._pause_s))
        if call.outcome is Outcome.ACCEPTED and self._rng.random() < _LOOK_SHARE:
            await self.look_at(call)
        if call.outcome is Outcome.ACCEPTED:
            self._looking.add(asyncio.create_task(self._act_on(call)))
        return True

    async def _act_on(self, call: Call) -> None:
        """Wait for the end of an invoice, then perhaps do something with it."""
        assert call.invoice_id is not None
        for _ in range(_LOOKS):
            if call.seen_finished is not None:
                await self._owner.act_on(call.invoice_id, call.seen_finished, call.kind)
                break
            await asyncio.sleep(_LOOK_PAUSE_S)
            await self.look_at(call)

    async def _send_until_answered(self, document: Document) -> Call:
        """Without a key, each attempt is a document of its own; with one, all of them together may make one invoice."""
        is_keyed = document.number % _KEYED == 0
        for attempt in count(1):
            wait = self._rng.random() < _WAIT_SHARE
            name = f"document-{document.number}-{'keyed' if is_keyed else attempt}.pdf"
            call = await self.send(document, name, wait, name if is_keyed else None)
            if call.outcome not in (Outcome.UNKNOWN, Outcome.UNCHANGED):
                break
            await asyncio.sleep(self._rng.uniform(0.5, 3))
        return call

    async def send(self, document: Document, name: str, wait: bool = False, key: str | None = None) -> Call:
        """One call, recorded in the ledger; `key` is its `Idempotency-Key`."""
        call = Call(name, self._account.id, document.kind, Outcome.UNKNOWN)
        call.began = time.monotonic()
        headers = {} if key is None else {"Idempotency-Key": key}
        try:
            answer = await self._post(document, name, wait, headers)
        except httpx.HTTPError:
            return call
        finally:
            call.seconds = time.monotonic() - call.began
            self._ledger.calls.append(call)
        call.status, call.retry_after = answer.status_code, answer.headers.get("Retry-After")
        call.outcome = outcome_of(answer)
        if call.outcome is Outcome.ACCEPTED:
            call.invoice_id = UUID(answer.json()["id"])
            _note_state(call, answer)
        return call

    async def _post(self, document: Document, name: str, wait: bool, headers: dict[str, str]) -> httpx.Response:
        """The document itself, or the URL that the service fetches it from."""
        query = {"wait": wait}
        if self._files is not None and document.number % round(1 / _URL_SHARE) == 1:
            body = {"file_url": self._files.offer(document), "file_name": name}
            return await self._http.post("/v1/invoices", params=query, json=body, headers=headers)
        file = {"file": (name, document.data, "application/pdf")}
        return await self._http.post("/v1/invoices", params=query, files=file, headers=headers)

    async def look_at(self, call: Call) -> bool:
        """Whether an accepted invoice could be read. It is there for its account from the answer on."""
        try:
            answer = await self._http.get(f"/v1/invoices/{call.invoice_id}")
        except httpx.HTTPError:
            self._ledger.lookups["no answer"] += 1
            return False
        if answer.status_code == 404 and call.invoice_id in self._ledger.actions.deleted:
            return False
        seen = {200: "found", 404: "missing"}.get(answer.status_code, f"answered {answer.status_code}")
        self._ledger.lookups[seen] += 1
        if seen == "found":
            _note_state(call, answer)
        return seen == "found"

    async def link(self, call: Call) -> str:
        """A link that downloads the document of an accepted invoice."""
        answer = await self._http.get(f"/v1/invoices/{call.invoice_id}/file")
        return str(answer.raise_for_status().json()["url"])

    async def can_download(self, link: str) -> bool:
        """Whether a link was answered with its document."""
        try:
            return (await self._http.get(link)).status_code == 200
        except httpx.HTTPError:
            return False


def outcome_of(answer: httpx.Response) -> Outcome:
    """What an answer to a create call tells the client."""
    if answer.status_code in (200, 202):
        return Outcome.ACCEPTED
    if answer.status_code == 409 and '"idempotency_in_flight"' in answer.text:
        return Outcome.IN_FLIGHT
    if answer.status_code == 422:
        # The file was fetched too slowly, by a process that was frozen meanwhile: nothing may be kept of the call.
        return Outcome.UNCHANGED
    if answer.status_code < 500:
        return Outcome.REFUSED
    promised = answer.status_code == 503 and "Nothing was changed" in answer.text
    return Outcome.UNCHANGED if promised else Outcome.UNKNOWN


def _note_state(call: Call, answer: httpx.Response) -> None:
    status = answer.json()["status"]
    if status in FINISHED:
        call.seen_finished = status
