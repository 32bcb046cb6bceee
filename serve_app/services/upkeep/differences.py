"""What in the records of an account contradicts the rest: a rule for each promise."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from serve_app.domain.account_records import AccountRecords, Difference, EventEntry, InvoiceEntry
from serve_app.domain.archive import ARCHIVE, archived_event, is_archived
from serve_app.domain.event import EventType
from serve_app.domain.record import EVIDENCE, document_of_picture

OVERDUE = timedelta(hours=1)
"""How late a planned deletion may be. The service carries it out at once, or in the next minutes after a crash."""
_EVENT_OF = {"complete": "invoice.completed", "failed": "invoice.failed"}


def differences(records: AccountRecords, files: frozenset[str], now: datetime) -> list[Difference]:
    """All that is wrong. `files` are the keys of the account's files: documents, pictures, evidence, mails, archived
    events. Invoices with work in progress are left out where that work changes what must agree."""
    rules = (_events, _deliveries, _units, _duplicates, _vendors, _batches, _missing_files, _stray_files, _exports)
    return sorted([*(found for rule in rules for found in rule(records, files)), *_overdue(records, now)])


def _overdue(records: AccountRecords, now: datetime) -> Iterator[Difference]:
    """What people wanted deleted is deleted when the time to undo it is over."""
    for plan in records.plans:
        if plan.due_at < now - OVERDUE:
            said = f"deletion {plan.id} of {len(plan.invoice_ids)} invoices was due at {plan.due_at:%Y-%m-%d %H:%M} UTC"
            yield Difference("deletions", f"{said}; the service carries it out once it runs")


def _events(records: AccountRecords, files: frozenset[str]) -> Iterator[Difference]:
    """One for each run, the last of the kind of the state; of an invoice that is not there, only its deletion."""
    types_of_events: dict[str, list[str]] = defaultdict(list)
    # For a moment an event is in both places.
    for event in sorted({*records.events, *_archived(files)}, key=lambda event: event.id):
        if event.type in _EVENT_OF.values():
            types_of_events[event.invoice_id].append(event.type)
    for invoice in records.invoices:
        if not (invoice.is_settled and invoice.is_finished):
            continue
        ends = types_of_events[invoice.id]
        if len(ends) != invoice.runs:
            yield Difference("events", f"invoice {invoice.id}: {invoice.runs} runs, {len(ends)} events")
        elif ends[-1] != _EVENT_OF[invoice.status]:
            yield Difference("events", f"invoice {invoice.id} is {invoice.status}, its last event says {ends[-1]}")
    there = {invoice.id for invoice in records.invoices}
    for event in records.events:
        if event.invoice_id not in there and event.type != EventType.DELETED:
            yield Difference("events", f"event {event.id} is about invoice {event.invoice_id}, which is not there")


def _archived(files: frozenset[str]) -> Iterator[EventEntry]:
    for key in files:
        if is_archived(key):
            invoice, id, type = archived_event(key)
            yield EventEntry(id, invoice, type)


def _deliveries(records: AccountRecords, files: frozenset[str]) -> Iterator[Difference]:
    """One of each event to each endpoint that wanted it. Which endpoints did is known only of those that have not been
    changed since: others may have been paused. Those of an event that is being archived go before it."""
    events, endpoints = {event.id for event in records.events}, {endpoint.id for endpoint in records.endpoints}
    made = Counter(records.deliveries)
    for (event, endpoint), count in made.items():
        pair = f"of event {event} to endpoint {endpoint}"
        if count > 1:
            yield Difference("deliveries", f"{count} deliveries {pair}")
        if event not in events:
            yield Difference("deliveries", f"the delivery {pair} has no event")
        if endpoint not in endpoints:
            yield Difference("deliveries", f"the delivery {pair} has no endpoint")
    busy = {invoice.id for invoice in records.invoices if not invoice.is_settled}
    passing = {event.id for event in _archived(files)}
    there = [event for event in records.events if event.invoice_id not in busy and event.id not in passing]
    for one in records.endpoints:
        for recorded in there if one.is_as_made else ():
            is_due = recorded.type in one.types and recorded.id >= one.since
            if is_due and (recorded.id, one.id) not in made:
                yield Difference("deliveries", f"there is no delivery of event {recorded.id} to endpoint {one.id}")


def _units(records: AccountRecords, _: frozenset[str]) -> Iterator[Difference]:
    """At least one for each run. Those of deleted invoices stay used, so there may be more."""
    due = sum(invoice.runs for invoice in records.invoices) + records.reserved_units
    if records.units < due:
        yield Difference("units", f"{records.units} units are used, the invoices have cost {due}")


def _duplicates(records: AccountRecords, _: frozenset[str]) -> Iterator[Difference]:
    """Each names the oldest with the same key; the oldest names none."""
    oldest: dict[str, str] = {}
    for invoice in sorted(records.invoices, key=lambda invoice: invoice.id):
        if not invoice.is_settled:
            continue
        key = invoice.duplicate_key
        first = None if key is None else oldest.setdefault(key, invoice.id)
        due = None if first == invoice.id else first
        if invoice.duplicate_of != due:
            said = f"invoice {invoice.id}: duplicate of {invoice.duplicate_of}, and should be of {due}"
            yield Difference("duplicates", said, is_derived=True)


def _exports(records: AccountRecords, _: frozenset[str]) -> Iterator[Difference]:
    """Their files are as their receipts say, and an exported invoice is in its export."""
    exports = {export.id: export for export in records.exports}
    for export in records.exports:
        if not export.is_intact:
            yield Difference("exports", f"the file of export {export.id} differs from its receipt")
    for invoice in records.invoices:
        if invoice.export_id is None:
            continue
        if invoice.export_id not in exports or invoice.id not in exports[invoice.export_id].invoices:
            yield Difference("exports", f"invoice {invoice.id} is not in export {invoice.export_id}; unlock it")


def _vendors(records: AccountRecords, _: frozenset[str]) -> Iterator[Difference]:
    """Their counts and totals are those of their invoices; duplicates and rejected invoices are left out of the
    totals. Those of merged vendors are the kept one's."""
    count, total = Counter[str](), defaultdict[str, Decimal](Decimal)
    of_kept = _kept_keys(records)
    busy = {
        of_kept.get(invoice.vendor_key, invoice.vendor_key) for invoice in records.invoices if not invoice.is_settled
    }
    seen: set[tuple[str, str]] = set()
    for invoice in records.invoices:
        if invoice.vendor_key is None:
            continue
        key = of_kept.get(invoice.vendor_key, invoice.vendor_key)
        count[key] += 1
        if not _is_repeated(invoice, seen):
            total[key] += invoice.billed
    kept = {vendor.key: (vendor.invoice_count, vendor.total) for vendor in records.vendors}
    for key in sorted((kept.keys() | count.keys()) - busy):
        due = count[key], total[key]
        if kept.get(key, (0, Decimal(0))) != due:
            said, were = _said(due), _said(kept[key]) if key in kept else "not kept"
            yield Difference("vendors", f"vendor {key!r}: {were}, and should be {said}", is_derived=True)
        elif key not in kept:
            yield Difference("vendors", f"vendor {key!r}: not kept", is_derived=True)


def _kept_keys(records: AccountRecords) -> dict[str | None, str]:
    """For the key of each merged vendor, that of the kept one."""
    by_id = {vendor.id: vendor.key for vendor in records.vendors}
    return {vendor.key: by_id[vendor.merged_into] for vendor in records.vendors if vendor.merged_into in by_id}


def _is_repeated(invoice: InvoiceEntry, seen: set[tuple[str, str]]) -> bool:
    """Whether an invoice with the same key was counted, whatever its own mark says. One that adds nothing, such as a
    rejected one, does not count."""
    if invoice.vendor_key is None or invoice.duplicate_key is None or not invoice.billed:
        return False
    pair = invoice.vendor_key, invoice.duplicate_key
    is_known = pair in seen
    seen.add(pair)
    return is_known


def _said(sums: tuple[int, Decimal]) -> str:
    return f"{sums[0]} invoices, {sums[1]} in all"


def _batches(records: AccountRecords, _: frozenset[str]) -> Iterator[Difference]:
    """No two invoices of a file have the same place in it, and all count the same. One may be missing: it can be
    deleted by itself."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for invoice in records.invoices:
        if invoice.batch is not None:
            id, index, size = invoice.batch
            places[id].append((index, size))
    for id, found in places.items():
        indices, sizes = [index for index, _ in found], {size for _, size in found}
        if len(set(indices)) != len(indices) or len(sizes) > 1 or not set(indices) <= set(range(1, max(sizes) + 1)):
            yield Difference("batches", f"file {id}: its invoices have the places {sorted(found)}")


def _missing_files(records: AccountRecords, files: frozenset[str]) -> Iterator[Difference]:
    for invoice in records.invoices:
        for name, key in (("document", invoice.file_key), ("evidence", invoice.evidence_key)):
            is_due = key is not None and (key != invoice.file_key or invoice.has_document)
            if is_due and key not in files:
                yield Difference("files", f"invoice {invoice.id}: its {name} {key} is missing")
    for key in records.mails - files:
        yield Difference("files", f"the bytes of a mail, {key}, are missing")


def _stray_files(records: AccountRecords, files: frozenset[str]) -> Iterator[Difference]:
    """A file belongs to an invoice or a mail, or is just being written or removed."""
    known = {invoice.file_key for invoice in records.invoices} | records.reserved | records.mails
    present = {invoice.id for invoice in records.invoices} | {key.rpartition("/")[2] for key in records.reserved}
    for key in files - known:
        is_of_invoice = key.startswith((f"{ARCHIVE}/", f"{EVIDENCE}/")) and key.split("/")[2] in present
        if not is_of_invoice and document_of_picture(key) not in known:
            yield Difference("files", f"no invoice and no mail has the file {key}")
