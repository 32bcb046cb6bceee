"""Exported invoices."""

import hashlib
from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.export import ExportDelivery
from serve_app.domain.invoice import Invoice
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import NOON
from tests.support.exports import new_export
from tests.support.mails import READ, complete_invoice

TEMPLATE = {
    "format": "template",
    "settings": {
        "columns": [{"title": name, "source": name} for name in ("number", "total")],
        "encoding": "utf-8",
        "tax_codes": {"19": "19"},
    },
}


async def exported(store: Store, account: Account) -> Invoice:
    invoice = await complete_invoice(store, account.id)
    assert await store.exports.add(new_export(invoice, account=account))
    return invoice


async def test_the_values_of_an_exported_invoice_stay(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    invoice = await exported(store, account)
    path = f"/v1/invoices/{invoice.id}"
    assert (await client.get(path)).json()["export_id"] is not None
    body = {"revision": 0, "fields": {"amount": {"value": "7.00"}}}
    assert_error(await client.put(f"{path}/review", json=body), 409, "invalid_request_error", "invoice_exported")
    assert_error(
        await client.post(f"{path}/extract", json={"force": True}), 409, "invalid_request_error", "invoice_exported"
    )
    assert (await client.patch(path, json={"paid": True})).status_code == 200
    unlocked = await client.post(f"{path}/unlock")
    assert unlocked.json()["export_id"] is None
    assert (await client.put(f"{path}/review", json=body)).json()["revision"] == 1


async def confirmed(client: httpx.AsyncClient, store: Store, account: Account, number: str = "1") -> str:
    """The id of an invoice that is ready."""
    read = READ.model_copy(update={"invoice_number": number, "amount": Decimal(1190)})
    id = (await complete_invoice(store, account.id, read)).id
    body = {"revision": 0, "status": "confirmed"}
    assert (await client.put(f"/v1/invoices/{id}/review", json=body)).status_code == 200
    return str(id)


async def test_an_export_is_made_listed_and_downloaded(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    id, doubtful = await confirmed(client, store, account), await complete_invoice(store, account.id)
    answer = await client.post("/v1/exports", json=TEMPLATE)
    made = answer.json()
    assert (answer.status_code, answer.headers["location"]) == (201, f"/v1/exports/{made['id']}")
    assert (made["invoices"], made["created_by"]) == ([id], "till")
    assert made["not_ready"] == [{"invoice_id": str(doubtful.id), "reason": "nobody has confirmed or approved it"}]
    kept = {**made, "not_ready": None}
    assert (await client.get(f"/v1/exports/{made['id']}")).json() == kept
    assert (await client.get("/v1/exports")).json() == {"object": "list", "data": [kept], "has_more": False}
    file = await client.get(f"/v1/exports/{made['id']}/file")
    assert file.content == b"number,total\r\n1,1190\r\n"
    assert (file.headers["content-type"].partition(";")[0], hashlib.sha256(file.content).hexdigest()) == (
        "text/csv",
        made["sha256"],
    )
    assert made["file_name"] in file.headers["content-disposition"]


async def test_each_invoice_is_exported_once(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    id = await confirmed(client, store, account)
    assert (await client.post("/v1/exports", json=TEMPLATE)).status_code == 201
    assert_error(await client.post("/v1/exports", json=TEMPLATE), 422, "invalid_request_error", "nothing_to_export")
    again = await client.post("/v1/exports", json=TEMPLATE | {"ids": [id], "again": True})
    assert (again.status_code, again.json()["invoices"]) == (201, [id])


async def test_only_of_a_period(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    id = await confirmed(client, store, account)
    april = {"issued_since": "2026-04-01", "issued_until": "2026-04-30"}
    assert (await client.post("/v1/exports", json=TEMPLATE | april)).status_code == 422
    may = {"issued_since": "2026-05-02", "issued_until": "2026-05-02"}
    assert (await client.post("/v1/exports", json=TEMPLATE | may)).json()["invoices"] == [id]


async def test_exports_are_paged_the_newest_first(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    ids = []
    for number in "12":
        await confirmed(client, store, account, number)
        ids.append((await client.post("/v1/exports", json=TEMPLATE)).json()["id"])
    first = (await client.get("/v1/exports", params={"limit": 1})).json()
    assert ([each["id"] for each in first["data"]], first["has_more"]) == ([ids[1]], True)
    rest = (await client.get("/v1/exports", params={"starting_after": ids[1]})).json()
    assert [each["id"] for each in rest["data"]] == [ids[0]]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"format": "abacus"}, "format"),
        ({"format": "datev"}, "settings.consultant"),
        ({"format": "datev", "settings": {"consultant": 1001, "client": 1, "colour": 1}}, "settings.colour"),
        ({"format": "xero", "settings": {"expense_account": "=1"}}, "settings.expense_account"),
        ({"format": "xero", "again": True}, None),
    ],
)
async def test_what_is_wrong_is_named(client: httpx.AsyncClient, body: dict[str, Any], param: str | None) -> None:
    answer = await client.post("/v1/exports", json=body)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)


async def test_a_scheduled_export_says_how_its_delivery_went(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    new = new_export(await complete_invoice(store, account.id), account=account)
    delivery = ExportDelivery("mailto:ledger@example.com", NOON, 2, "The mail server is away")
    assert await store.exports.add(replace(new, export=replace(new.export, delivery=delivery)))
    assert (await client.get(f"/v1/exports/{new.export.id}")).json()["delivery"] == {
        "place": "mailto:ledger@example.com",
        "tries": 2,
        "problem": "The mail server is away",
        "next_try_at": "2026-05-17T12:00:07.123456Z",
        "delivered_at": None,
        "invoices": [],
    }
