"""The audit of `make faults` finds what is wrong: every entry of a sound store is falsified in turn."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from pydantic import SecretStr

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.actions import Actions
from benchmarks.faults.audit import audit
from benchmarks.faults.documents import Kind
from benchmarks.faults.ledger import Call, Ledger, Outcome
from benchmarks.faults.lines import Line
from benchmarks.faults.store_contents import StoreContents
from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Heading, MailPart, MailState
from serve_app.domain.inbound_mail import Outcome as PartOutcome
from serve_app.domain.invoice import Extraction, Failure, FailureCode, FileInfo, Invoice, Source
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.support import LEASE
from tests.support.inbound import add_address, add_mail

FALSIFIED = {
    "accepted, then finished by nobody": ("UPDATE invoices SET status = 'queued' WHERE id = :first", "neither"),
    "an invoice is gone": ("DELETE FROM invoices WHERE id = :first", "lost"),
    "a document failed without reason": ("UPDATE invoices SET status = 'failed' WHERE id = :first", "ended otherwise"),
    "an event is gone": ("DELETE FROM events WHERE invoice_id = :first", "exactly one event for each run"),
    "an event is there twice": (
        "INSERT INTO events (id, account_id, type, created_at, payload, invoice_id)"
        " SELECT 'evt_2', account_id, type, created_at, payload, invoice_id FROM events LIMIT 1",
        "exactly one event for each run",
    ),
    "an event was not spread": ("UPDATE invoices SET outbox = '[{}]' WHERE id = :first", "outbox"),
    "a delivery is gone": ("DELETE FROM deliveries WHERE id = (SELECT min(id) FROM deliveries)", "deliveries"),
    "a unit was not given back": ("UPDATE quotas SET used = used + 1", "quota"),
    "a unit was not taken": ("UPDATE quotas SET used = used - 1", "quota"),
    "a vendor's count is off": ("UPDATE vendors SET invoice_count = invoice_count + 1", "vendors"),
    "a vendor's total is off": ("UPDATE vendors SET total = '0.01'", "vendors"),
    "a part of a batch is gone": (
        "DELETE FROM invoices WHERE json_extract(document, '$.batch.index') = 2", "files of several invoices"
    ),
    "a slot is still taken": ("UPDATE invoices SET turn = 1 WHERE id = :first", "slots"),
    "a mail is gone": ("DELETE FROM mails", "mails lost"),
    "a mail is there twice": (
        "INSERT INTO mails SELECT '0198c0de-0000-7000-8000-000000000000', account_id, address_id, 'other', state,"
        " held_for, received_at, size, due_at, care_at, revision, claims, document, problems, words FROM mails",
        "mails doubled",
    ),
    "a mail was never taken apart": ("UPDATE mails SET state = 'queued'", "mails that are not done"),
    "an invoice of a mail is gone": (
        "DELETE FROM invoices WHERE document ->> '$.file.name' = 'mailed.pdf'", "invoices of mails lost"
    ),
    "an invoice of a mail is there twice": (
        "UPDATE invoices SET document = json_set(document, '$.file.name', 'mailed.pdf') WHERE id = :first",
        "invoices of mails doubled",
    ),
    "a part names no invoice": (
        "UPDATE mails SET document = json_set(document, '$.parts[0].invoice_id', 'none')", "without their invoice"
    ),
    "a mail's bytes were said to be removed": (
        "UPDATE mails SET document = json_set(document, '$.has_raw', json('false'))", "files of mails without a mail"
    ),
    "a reservation was left": (
        "INSERT INTO reservations (invoice_id, account_id, file_key, run, made_at) VALUES ('a', 'b', 'c', 1, 1)",
        "reservations",
    ),
}  # fmt: skip


@pytest.fixture
async def ledger(store: Store, files: Files, settings: Settings) -> Ledger:
    """What clients saw of a service whose data is sound: a file of two invoices, and a broken one."""
    sealing = settings.model_copy(update={"encryption_key": SecretStr(new_key())})
    (account,) = await make_accounts(sealing, 1)
    ledger = Ledger()
    for name, kind in (("two.pdf", Kind.BATCH), ("broken.pdf", Kind.BROKEN)):
        record = _record(account.id, name)
        await store.intake.reserve(record, month_start(utc_now()), None)
        await files.write(record.file_key, b"%PDF")
        await store.intake.add(record)
        await _run(store, kind)
        ledger.calls.append(Call(name, account.id, kind, Outcome.ACCEPTED, 202, record.invoice.id))
    await _mail(store, files, account.id, ledger)
    await store.outbox.spread_pending(100)
    return ledger


async def _mail(store: Store, files: Files, account_id: UUID, ledger: Ledger) -> None:
    """A mail with one invoice."""
    record = _record(account_id, "mailed.pdf")
    await store.intake.reserve(record, month_start(utc_now()), None)
    await files.write(record.file_key, b"%PDF")
    await store.intake.add(record)
    await _run(store, Kind.BROKEN)
    part = MailPart("1", PartOutcome.INVOICE, invoice_id=record.invoice.id)
    address, heading = await add_address(store, account_id), Heading(message_id="<1@a.example>")
    mail = await add_mail(store, address, state=MailState.DONE, due_at=None, parts=(part,), heading=heading)
    await files.write(mail.file_key, b"raw")
    ledger.mailed.append("<1@a.example>")
    ledger.mailed_names.add("mailed.pdf")


def _record(account_id: UUID, name: str) -> InvoiceRecord:
    now = utc_now()
    file = FileInfo(name=name, mime_type="application/pdf", size_bytes=4)
    invoice = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file)
    return new_record(invoice, account_id)


async def _run(store: Store, kind: Kind) -> None:
    claim = await store.queue.claim_due_invoice(LEASE)
    assert claim is not None
    now = utc_now()
    if kind is Kind.BROKEN:
        await store.queue.fail(claim, Failure(code=FailureCode.DOCUMENT_UNREADABLE, message="broken"), now)
        return
    parts = [Section(page, page, _extraction(page)) for page in (1, 2)]
    first, siblings = records_of(claim, parts, now)
    await store.queue.save_result(claim, first, now, siblings)


def _extraction(page: int) -> Extraction:
    return Extraction(vendor_name="Acme Ltd", invoice_number=f"{page}", amount=Decimal("12.50") * page)


def _broken(ledger: Ledger, settings: Settings) -> list[Line]:
    contents = StoreContents(_database(settings), _files(settings))
    return [line for line in audit(ledger, contents) if not line.is_kept]


def _files(settings: Settings) -> Path:
    assert settings.files_url is not None
    return Path(settings.files_url)


def _database(settings: Settings) -> Path:
    return Path(settings.database_url.removeprefix("sqlite:///"))


async def test_sound_data_breaks_no_rule(ledger: Ledger, settings: Settings) -> None:
    assert _broken(ledger, settings) == []


@pytest.mark.parametrize(("statement", "promise"), FALSIFIED.values(), ids=FALSIFIED)
async def test_a_false_entry_is_found(ledger: Ledger, settings: Settings, statement: str, promise: str) -> None:
    connection = sqlite3.connect(_database(settings))
    connection.execute(statement, {"first": str(ledger.calls[0].invoice_id)} if ":first" in statement else {})
    connection.commit()
    connection.close()
    assert any(promise in line.name for line in _broken(ledger, settings))


async def test_events_of_changes_are_not_those_of_runs(ledger: Ledger, settings: Settings) -> None:
    first, gone = ledger.calls[0].invoice_id, new_id()
    ledger.calls.append(Call("gone.pdf", ledger.calls[0].account_id, Kind.BROKEN, Outcome.ACCEPTED, 202, gone))
    assert first is not None
    with sqlite3.connect(_database(settings)) as connection:
        connection.executemany(
            "INSERT INTO events (id, account_id, type, created_at, payload, invoice_id)"
            " SELECT ?, account_id, ?, created_at, payload, ? FROM events LIMIT 1",
            [("evt_2", "invoice.updated", str(first)), ("evt_3", "invoice.deleted", str(gone))],
        )
        connection.execute("UPDATE invoices SET entity_tag = 'a tag' WHERE id = ?", (str(first),))
        connection.execute("UPDATE quotas SET used = used + 1")
    connection.close()
    ledger.actions = Actions(tags={first: "a tag"}, deleted={gone})
    assert [line.name for line in _broken(ledger, settings)] == []


async def test_a_file_too_many_and_one_too_few_are_found(ledger: Ledger, settings: Settings) -> None:
    (some, *_) = [path for path in _files(settings).rglob("*") if path.is_file() and "mails" not in path.parts]
    some.rename(some.with_name("another"))
    names = [line.name for line in _broken(ledger, settings)]
    assert names == ["files without an invoice", "invoices without a file"]


async def test_a_document_that_was_kept_against_the_answer_is_found(ledger: Ledger, settings: Settings) -> None:
    ledger.calls[0].outcome = Outcome.UNCHANGED
    assert [line.name for line in _broken(ledger, settings)] == [
        "kept although the answer said that nothing was changed, or nobody sent it"
    ]


async def test_an_answer_that_was_taken_back_is_found(ledger: Ledger, settings: Settings) -> None:
    ledger.calls[0].seen_finished = "failed"
    assert [line.name for line in _broken(ledger, settings)] == ["another final state than a client was told"]


async def test_a_document_that_three_workers_were_lost_with_is_distinguished(
    ledger: Ledger, settings: Settings
) -> None:
    """Failing it is the rule; it must still have failed, and been told of, once."""
    code = "extraction_interrupted"
    with sqlite3.connect(_database(settings)) as connection:
        connection.execute(
            "UPDATE invoices SET status = 'failed', attempt = 7, document = json_set(document, '$.failure', json(?))"
            " WHERE id = ?",
            (f'{{"code": "{code}"}}', str(ledger.calls[0].invoice_id)),
        )
    connection.close()
    assert "ended otherwise than its document is" not in [line.name for line in _broken(ledger, settings)]


@pytest.mark.parametrize(
    ("actions", "promise"),
    [
        (lambda id: Actions(tags={id: "a tag"}), "changes lost"),
        (lambda id: Actions(approvals={id}), "approvals lost"),
        (lambda id: Actions(deleted={id}), "deleted and still there"),
        (lambda id: Actions(tags={id: "a tag"}), "changes, approvals and deletions without their event"),
        (lambda id: Actions(approvals={id}), "changes, approvals and deletions without their event"),
        (lambda id: Actions(deleted={id}), "changes, approvals and deletions without their event"),
        (lambda id: Actions(reruns={id: 1}), "extractions lost, or run without being asked"),
        (lambda id: Actions(refused=[f"DELETE {id}: 400"]), "answered 4xx without reason"),
    ],
)
async def test_a_confirmed_action_that_left_no_trace_is_found(
    ledger: Ledger, settings: Settings, actions: Callable[[UUID], Actions], promise: str
) -> None:
    invoice_id = ledger.calls[0].invoice_id
    assert invoice_id is not None
    ledger.actions = actions(invoice_id)
    assert promise in [line.name for line in _broken(ledger, settings)]
