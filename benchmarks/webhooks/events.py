"""Events of realistic size: 2 to 4 KB of JSON about an invoice of several lines."""

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import islice
from random import Random
from uuid import UUID

from benchmarks.store.invoices import records
from serve_app.domain.clock import utc_now
from serve_app.domain.event import Event, LoggedEvent
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import LineItem, Status

_PATTERNS = 200
_LINES = (6, 24)
_SOLD = ("Toner cartridge, black, XL", "Freight, pallet", "Office chairs with armrests, grey", "Hours, on site")


def events(account_id: UUID, count: int) -> Iterator[LoggedEvent]:
    """So many new events of the account; their invoices repeat."""
    patterns = _patterns()
    for number in range(count):
        pattern, event_id = patterns[number % len(patterns)], f"evt_{new_id()}"
        payload = pattern.payload.replace(pattern.id, event_id)
        yield LoggedEvent(event_id, account_id, pattern.type, utc_now(), payload)


@cache
def _patterns() -> list[LoggedEvent]:
    """Made once: to check and write an invoice costs more than to send it."""
    owner, rng, now = new_id(), Random(1), utc_now()  # noqa: S311 - variety, not secrecy
    invoices = (record.invoice for record in records(owner, 1, 2 * _PATTERNS))
    # One that failed has little to tell.
    complete = islice((invoice for invoice in invoices if invoice.status is Status.COMPLETE), _PATTERNS)
    full = [invoice.model_copy(update={"line_items": _lines(rng)}) for invoice in complete]
    return [LoggedEvent.of(Event.about(invoice, now), owner) for invoice in full]


def _lines(rng: Random) -> list[LineItem]:
    return [
        LineItem(
            description=rng.choice(_SOLD),
            quantity=Decimal(rng.randint(1, 40)),
            unit_price=Decimal(rng.randint(100, 90_000)) / 100,
            confidence=None,
        )
        for _ in range(rng.randint(*_LINES))
    ]
