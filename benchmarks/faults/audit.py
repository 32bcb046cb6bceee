"""What must hold after a run: the clients' ledger against the contents of the store, a line for each promise."""

from collections import Counter
from collections.abc import Collection, Mapping
from uuid import UUID

from benchmarks.faults.documents import Kind
from benchmarks.faults.ledger import Call, Ledger, Outcome
from benchmarks.faults.lines import Line, listed, promise
from benchmarks.faults.mail_audit import audit_mails
from benchmarks.faults.store_contents import Invoice, StoreContents

_SHOWN = 5


def audit(ledger: Ledger, contents: StoreContents) -> list[Line]:
    """All lines: first what happened, then what must hold."""
    return [
        *_story(ledger, contents),
        *_documents(ledger, contents),
        *_actions(ledger, contents),
        *audit_mails(ledger, contents),
        *_store(ledger, contents),
        *_processes(ledger),
    ]


def _story(ledger: Ledger, contents: StoreContents) -> list[Line]:
    states = Counter(invoice.status for invoice in contents.invoices)
    codes = Counter(str(call.status or "no answer") for call in ledger.calls if call.outcome is not Outcome.ACCEPTED)
    kinds = Counter[str](call.kind for call in {call.name: call for call in ledger.of(Outcome.ACCEPTED)}.values())
    return [
        Line("documents accepted", f"{kinds.total()}: {listed(kinds)}"),
        Line("calls without acceptance, made again", f"{codes.total()}: {listed(codes)}"),
        Line("looks at accepted invoices", listed(ledger.lookups)),
        Line(
            "failed after three lost claims, as the rule is",
            str(sum(invoice.was_given_up for invoice in contents.invoices)),
        ),
        Line("runs that were cut off and begun again", str(sum(invoice.lost_claims for invoice in contents.invoices))),
        Line(
            "invoices in the store", f"{len(contents.invoices)}: {listed(states)}; {contents.batches} files were split"
        ),
        Line("events, deliveries, vendors", f"{contents.events}, {contents.deliveries}, {contents.vendors}"),
        Line("files cut off in the middle of a write, swept after an hour", str(contents.parts)),
    ]


def _documents(ledger: Ledger, contents: StoreContents) -> list[Line]:
    accepted, unknown = ledger.of(Outcome.ACCEPTED), ledger.of(Outcome.UNKNOWN)
    by_id = {invoice.id: invoice for invoice in contents.invoices}
    firsts = Counter(invoice.name for invoice in contents.invoices if invoice.is_first)
    unsent = set(firsts) - {call.name for call in [*accepted, *unknown]} - ledger.mailed_names
    missing = [name for name, count in ledger.lookups.items() if name == "missing" and count]
    return [
        promise(
            "lost: accepted and not in the store", [call.name for call in accepted if _is_lost(call, ledger, by_id)]
        ),
        promise("accepted, then not found by its client", missing),
        promise("doubled: a call that made two invoices", [name for name, count in firsts.items() if count > 1]),
        promise("kept although the answer said that nothing was changed, or nobody sent it", unsent),
        promise("refused with 4xx", [f"{call.name}: {call.status}" for call in ledger.of(Outcome.REFUSED)]),
        promise("neither complete nor failed", [invoice.id for invoice in contents.unfinished()]),
        promise("ended otherwise than its document is", _wrong_ends(ledger.calls, contents.invoices)),
        promise("another final state than a client was told", [c.name for c in accepted if _taken_back(c, by_id)]),
        promise("invoices with one Idempotency-Key and two ids", _two_answers(accepted)),
        Line("kept of the calls with unknown outcome", str(len({call.name for call in unknown} & set(firsts)))),
    ]


def _two_answers(accepted: Collection[Call]) -> list[str]:
    answers = {(call.name, call.invoice_id) for call in accepted}
    return [name for name, count in Counter(name for name, _ in answers).items() if count > 1]


def _is_lost(call: Call, ledger: Ledger, by_id: dict[str, Invoice]) -> bool:
    return str(call.invoice_id) not in by_id and call.invoice_id not in ledger.actions.deleted


def _actions(ledger: Ledger, contents: StoreContents) -> list[Line]:
    """What clients asked of finished invoices, against what became of it."""
    actions, by_id = ledger.actions, {UUID(invoice.id): invoice for invoice in contents.invoices}
    asked = f"{len(actions.tags)}, {sum(actions.reruns.values())}, {len(actions.approvals)}, {len(actions.deleted)}"
    there = {id: invoice for id, invoice in by_id.items() if id not in actions.deleted}
    return [
        Line("confirmed: changes, further extractions, approvals, deletions", asked),
        promise("answered 4xx without reason", actions.refused),
        promise("deleted and still there", [str(id) for id in actions.deleted & by_id.keys()]),
        promise("changes lost", [str(id) for id, tag in actions.tags.items() if id in there and there[id].tag != tag]),
        promise("approvals lost", [str(id) for id in actions.approvals if id in there and not there[id].approval]),
        promise("extractions lost, or run without being asked", _wrong_runs(ledger, there)),
        promise("changes, approvals and deletions without their event", _without_event(ledger, contents, there)),
    ]


def _wrong_runs(ledger: Ledger, there: Mapping[UUID, Invoice]) -> list[str]:
    actions = ledger.actions
    return [
        f"{id}: {invoice.units} runs"
        for id, invoice in there.items()
        if not 0 <= invoice.units - 1 - actions.reruns.get(id, 0) <= actions.perhaps_rerun.get(id, 0)
    ]


def _without_event(ledger: Ledger, contents: StoreContents, there: Mapping[UUID, Invoice]) -> list[str]:
    changed = (ledger.actions.tags.keys() | ledger.actions.approvals) & there.keys()
    return contents.wrong_changes(changed, ledger.actions.deleted)


def _units_of_deleted(ledger: Ledger) -> Counter[str]:
    """One for each accepted document; those that were extracted again are not deleted here."""
    accounts = {call.invoice_id: str(call.account_id) for call in ledger.of(Outcome.ACCEPTED)}
    return Counter(accounts[id] for id in ledger.actions.deleted)


def _store(ledger: Ledger, contents: StoreContents) -> list[Line]:
    orphans, without = contents.wrong_files()
    wrong_quotas = contents.wrong_quotas(_units_of_deleted(ledger))
    return [
        promise("invoices without exactly one event for each run", contents.wrong_events()),
        promise("events left in an outbox", ["some"] * contents.open_outboxes),
        promise("deliveries doubled or missing", contents.wrong_deliveries()),
        promise("accounts whose quota is not the units of their invoices", wrong_quotas),
        promise("reservations left", ["some"] * contents.reservations),
        promise("slots of the queue left taken", ["some"] * contents.slots),
        promise("files without an invoice", orphans),
        promise("invoices without a file", without),
        promise("vendors whose sums are not those of their invoices", contents.wrong_vendors()),
        promise("files of several invoices that are not whole", contents.wrong_batches()),
        promise("the database file's own check", [] if contents.integrity == "ok" else [contents.integrity]),
    ]


def _processes(ledger: Ledger) -> list[Line]:
    return [promise("processes left behind by an ordinary stop", ledger.left_behind)]


def _wrong_ends(calls: Collection[Call], invoices: Collection[Invoice]) -> list[str]:
    """Broken files fail, all others are complete: no kill may cost a document its result, but for the third that hits
    the same one."""
    kinds = {call.name: call.kind for call in calls}
    return [
        f"{invoice.name}: {invoice.status}"
        for invoice in invoices
        if invoice.name in kinds
        and not invoice.was_given_up
        and invoice.status != ("failed" if kinds[invoice.name] is Kind.BROKEN else "complete")
    ]


def _taken_back(call: Call, by_id: dict[str, Invoice]) -> bool:
    invoice = by_id.get(str(call.invoice_id))
    if call.seen_finished is None or invoice is None or invoice.was_given_up:
        return False
    return invoice.status != call.seen_finished


def table(lines: list[Line]) -> list[str]:
    """The lines as a table in Markdown, with what is wrong below it."""
    rows = [f"| {line.name} | {line.figure} | {line.verdict} |" for line in lines]
    wrong = [f"- BROKEN: {line.name}: {', '.join(line.wrong[:_SHOWN])}" for line in lines if line.wrong]
    return ["| | | promise |", "|---|---|---|", *rows, *([""] if wrong else []), *wrong]
