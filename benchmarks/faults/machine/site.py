"""A running service with one client: what every fault of the machine is tried on."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.audit import audit
from benchmarks.faults.clients import Client
from benchmarks.faults.documents import documents
from benchmarks.faults.ledger import Call, Ledger, Outcome
from benchmarks.faults.lines import Line
from benchmarks.faults.service import Service
from benchmarks.faults.settled import wait_until_settled
from benchmarks.faults.store_contents import StoreContents

# Of one fault, with start and stop.
DEADLINE_S = 600.0
_RECOVERED_WITHIN_S = 60.0
_SETTLED_WITHIN_S = 150.0


class Skipped(Exception):
    """Why a fault cannot be made on this machine."""


@dataclass(slots=True)
class Site:
    """The service, its client and what they went through."""

    service: Service
    client: Client
    ledger: Ledger
    _supply: "count[int]" = field(default_factory=count)

    async def send(self, number: int) -> list[Call]:
        """So many documents at once, each a call of its own."""
        fresh = [documents(1, seed=next(self._supply))[0] for _ in range(number)]
        names = [f"document-{len(self.ledger.calls) + place}-1.pdf" for place in range(number)]
        calls = zip(fresh, names, strict=True)
        return list(await asyncio.gather(*(self.client.send(document, name) for document, name in calls)))

    async def readable(self, calls: list[Call]) -> int:
        """How many of these accepted invoices can be read now."""
        return sum(await asyncio.gather(*(self.client.look_at(call) for call in calls)))

    async def recovers(self) -> list[Call]:
        """Calls, a second apart, until one is accepted: what was sent."""
        calls: list[Call] = []
        for _ in range(int(_RECOVERED_WITHIN_S)):
            calls += await self.send(1)
            if calls[-1].outcome is Outcome.ACCEPTED:
                break
            await asyncio.sleep(1)
        return calls


@asynccontextmanager
async def site(folder: Path, data: Path | None = None, extra: Mapping[str, str] | None = None) -> AsyncIterator[Site]:
    """A service on the data in `data`, or in `folder`, with more in its environment."""
    service, ledger = Service(folder, data, extra), Ledger()
    (account,) = await make_accounts(service.settings(), 1)
    client = Client(service.url, account, ledger, seed=0, pause_s=0)
    await asyncio.to_thread(service.start)
    try:
        yield Site(service, client, ledger)
    finally:
        await client.close()


async def stop_and_audit(place: Site) -> list[Line]:
    """Wait until all is done, stop, and audit the store."""
    waited = await wait_until_settled(place.service, _SETTLED_WITHIN_S)
    place.ledger.left_behind += await asyncio.to_thread(place.service.stop)
    contents = await asyncio.to_thread(StoreContents, place.service.database, place.service.files)
    return [Line("seconds until all was done", f"{waited:.0f}"), *audit(place.ledger, contents)]


def held(name: str, is_so: bool, figure: object = "") -> Line:
    """A promise with its figure."""
    return Line(name, str(figure), () if is_so else ("not so",))


def refusals(calls: list[Call]) -> list[Line]:
    """What callers were told during a fault: 503 of the service's own, each with Retry-After, and nothing else."""
    failed = [call for call in calls if call.outcome is not Outcome.ACCEPTED]
    proper = [call for call in failed if call.outcome is Outcome.UNCHANGED and call.retry_after]
    return [
        held(
            "calls answered 503 `service_unavailable` with Retry-After", bool(proper), f"{len(proper)} of {len(calls)}"
        ),
        held("calls with another error", len(proper) == len(failed), len(failed) - len(proper)),
        Line("slowest answer, s", f"{max(call.seconds for call in calls):.1f}"),
    ]
