"""`invoices why`: why a document failed, and what to do."""

from itertools import chain
from typing import TYPE_CHECKING
from uuid import UUID

from serve_app.commands.errors import CommandError
from serve_app.commands.logs import Files, Id, about, parse_lines
from serve_app.commands.stores import present_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.clock import utc_now
from serve_app.domain.query import DeliveryQuery

if TYPE_CHECKING:
    from serve_app.commands.diagnosis import Diagnosis
    from serve_app.store.base import Store

_EVENTS = 20
_DELIVERIES = 100


def why(identifier: Id, files: Files = None) -> None:
    """Print why a document failed: the stage, the cause and what to do.

    From logs, which say more, if there are any (`-` is standard input), else from the store. For example:
    journalctl -u invoices-serve -o cat | invoices why ID -
    """
    found = _in_logs(identifier, files) if files else None
    found = found or run_on_store(present_settings(), lambda store: _in_store(store, _parsed(identifier)))
    if found is None:
        say("Nothing failed: the document was read, and nothing is left to deliver.")
        return
    for name, text in (("stage", found.stage), ("cause", found.cause), ("do", found.action)):
        say(f"{name + ':':<7}{text}")


def _in_logs(identifier: str, files: Files) -> "Diagnosis | None":
    from serve_app.commands.diagnosis import from_lines

    return from_lines(about(identifier, [*parse_lines(chain.from_iterable(files or ()))]))


def _parsed(identifier: str) -> UUID:
    try:
        return UUID(identifier)
    except ValueError:
        raise CommandError(
            f"{identifier} is not the id of an invoice; only logs know requests and traces: invoices why ID FILE"
        ) from None


async def _in_store(store: "Store", invoice_id: UUID) -> "Diagnosis | None":
    from serve_app.commands.diagnosis import from_store

    account_id = await store.invoices.account_of(invoice_id)
    record = None if account_id is None else await store.invoices.find_record(account_id, invoice_id)
    if account_id is None or record is None:
        raise CommandError(f"there is no invoice {invoice_id}: it was refused, split or deleted; the logs may have it")
    events = await store.events.of_invoice(account_id, invoice_id, _EVENTS)
    pages = [await store.deliveries.page(account_id, DeliveryQuery(event_id=event.id), _DELIVERIES) for event in events]
    return from_store(record, [each for page in pages for each in page.items], utc_now())
