"""An account with very many invoices, and the application in this process."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from fastapi import FastAPI
from pydantic import SecretStr

from actors.application import create_application
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Extraction, Field, FileInfo, Invoice, Source
from serve_app.domain.person import Role
from serve_app.domain.record import completed, new_record
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import insert_invoice
from serve_app.web.cookies import SESSION
from serve_app.wiring.services import build_services
from tests.support import FakeCutter, FakeModels, FakeNotifier
from tests.support.people import add_member, make_session
from tests.support.showcase import add_showcase

VENDORS = 2000
_NOW = utc_now()
ACCOUNT = Account(new_id(), Plan.UNLIMITED, _NOW)


async def served_app(folder: Path) -> tuple[FastAPI, str, str]:
    """The application, the cookie of an owner, and the address of an invoice with lines, places and history."""
    settings = Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        signing_key=SecretStr("a secret of benchmarks, long enough for it"),
        encryption_key=SecretStr("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
    )
    store, files = open_store(settings), open_files(settings)
    await store.accounts.add(ACCOUNT)
    person = await add_member(store, ACCOUNT, "owner@example.com", Role.OWNER, _NOW)
    session, secret = make_session(person, ACCOUNT, _NOW)
    await store.sessions.add(session)
    invoice = await add_showcase(store, files, ACCOUNT, _NOW)
    app = create_application(build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings))
    return app, f"{SESSION}={secret}", f"/app/invoices/{invoice.id}"


async def fill(folder: Path, count: int) -> None:
    """Adds complete invoices of 2,000 vendors to the account, most of them paid."""
    connection = sqlite3.connect(folder / "invoices.db", isolation_level=None)
    connection.execute("BEGIN")
    for number in range(count):
        insert_invoice(connection, new_record(invoice_of(number), ACCOUNT.id))
    connection.execute("COMMIT")
    connection.close()


def invoice_of(number: int) -> Invoice:
    """A complete invoice of one of many vendors."""
    at = _NOW - timedelta(days=100)
    file = FileInfo(name=f"{number}.pdf", mime_type="application/pdf", size_bytes=80_000)
    bare = Invoice(id=new_id(), source=Source.API, created_at=at, updated_at=at, file=file)
    read = Extraction(
        vendor_name=f"Supplier {number % VENDORS} Ltd",
        invoice_number=f"INV-{number:07}",
        amount=Decimal(number * 37 % 1_000_000) / 100,
        currency="EUR",
        issued_at=date(2026, 1, 1) + timedelta(days=number % 300),
        due_at=date(2026, 2, 1) + timedelta(days=number % 300),
        field_confidence={Field.VENDOR: Confidence.HIGH, Field.AMOUNT: Confidence.MID},
        auto_verified=number % 50 != 0,
        pages=1,
    )
    vendor_id = UUID(int=number % VENDORS)
    return completed(bare, read, at).model_copy(update={"paid": number % 20 != 0, "vendor_id": vendor_id})
