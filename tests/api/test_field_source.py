"""What a caller has entered is told as entered, by whom and over what, wherever the invoice is shown."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Confidence, Detail, Details, Field, Invoice
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import newest_events
from tests.support.mails import READ, complete_invoice, links_in, text_of

SURE = READ.model_copy(
    update={
        "field_confidence": dict.fromkeys(
            (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT, Field.TAX),
            Confidence.HIGH,
        ),
        "auto_verified": True,
        "details": Details(iban="DE89370400440532013000", field_confidence={Detail.IBAN: Confidence.HIGH}),
    }
)
ENTERED = "API key “till” entered this value on 2026-05-17. The models read: 1190.5"


@pytest.fixture
def mail_folder(tmp_path: Path) -> Path:
    return tmp_path / "mail"


@pytest.fixture
def settings(settings: Settings, mail_folder: Path) -> Settings:
    return settings.model_copy(update={"mail_folder": str(mail_folder), "public_url": "http://service"})


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id, SURE)


def only_mail(folder: Path) -> EmailMessage:
    (file,) = folder.glob("*.eml")
    return message_from_bytes(file.read_bytes(), policy=default)


async def correct(client: httpx.AsyncClient, invoice: Invoice, status: str = "open", **values: object) -> None:
    path = f"/v1/invoices/{invoice.id}/review"
    review = (await client.get(path)).json()
    body = {
        "revision": review["revision"],
        "status": status,
        "fields": {name: {"value": value} for name, value in values.items()},
    }
    answer = await client.put(path, json=body)
    assert answer.status_code == 200, answer.text


async def test_the_invoice_shows_which_values_are_a_persons(client: httpx.AsyncClient, invoice: Invoice) -> None:
    await correct(client, invoice, amount="99000.00", iban="GB33BUKB20201555555555")
    shown = (await client.get(f"/v1/invoices/{invoice.id}")).json()
    models = dict.fromkeys(("vendor", "invoice_number", "currency", "issued_at", "due_at", "tax"), "models")
    assert shown["field_source"] == {**models, "amount": "person"}
    assert shown["details"]["field_source"] == {"iban": "person"}
    correction = shown["review"]["corrections"]["amount"]
    assert (correction["read"], correction["by"], correction["by_key"]) == ("1190.5", "till", True)
    # These stay the models' word on what they read.
    assert (shown["field_confidence"]["amount"], shown["auto_verified"]) == ("high", True)
    (listed,) = (await client.get("/v1/invoices")).json()["data"]
    assert listed == shown


async def test_an_event_shows_it_too(
    client: httpx.AsyncClient, invoice: Invoice, store: Store, account: Account
) -> None:
    (completed,) = await newest_events(store, account.id)
    assert set(completed.data.invoice.field_source.values()) == {"models"}
    await correct(client, invoice, status="confirmed", amount="99000.00")
    await newest_events(store, account.id)
    (event,) = (await client.get("/v1/events", params={"type": "invoice.reviewed"})).json()["data"]
    sent = event["data"]["invoice"]
    assert (sent["field_source"]["amount"], sent["field_source"]["vendor"]) == ("person", "models")
    assert sent["review"]["corrections"]["amount"]["read"] == "1190.5"


async def test_the_approval_mail_vouches_for_nothing_that_a_caller_entered(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, invoice: Invoice, mail_folder: Path
) -> None:
    await correct(client, invoice, amount="99000.00", due_at=None)
    asked = await client.post(f"/v1/invoices/{invoice.id}/approval", json={"email": "boss@example.com"})
    assert asked.status_code == 200, asked.text
    mail = only_mail(mail_folder)
    page = (await anyone.get(urlsplit(links_in(mail)[0]).path)).text
    for text in (text_of(mail), text_of(mail, "html"), page):
        plain = re.sub(r"\s+", " ", unescape(text))
        assert ENTERED in plain
        assert "The models read: 2026-06-01" in plain
        assert "both models agree" not in plain
        assert "no model extracted this amount" in plain


async def test_what_was_read_again_as_entered_is_the_models_once_more(
    client: httpx.AsyncClient, invoice: Invoice
) -> None:
    await correct(client, invoice, amount="99000.00")
    await correct(client, invoice, amount="1190.50")
    shown = (await client.get(f"/v1/invoices/{invoice.id}")).json()
    assert (shown["field_source"]["amount"], shown["review"]["corrections"]) == ("models", {})
