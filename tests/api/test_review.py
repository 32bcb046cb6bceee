"""`/v1/invoices/{id}/review`."""

import httpx

from serve_app.domain.account import Account
from serve_app.domain.record import evidence_key_of
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.invoices import fail_one
from tests.api.reviews import READ, invoice_of, put, read_one, review_of
from tests.support.mails import complete_invoice
from tests.support.suppliers import alert


async def test_a_review_shows_what_was_read_and_what_people_say(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    review = await review_of(client, record)
    assert (review["revision"], review["status"], review["history"]) == (0, "open", {"undo": 0, "redo": 0})
    amount = review["fields"]["amount"]
    assert (amount["value"], amount["read"], amount["corrected"], amount["confidence"]) == (
        "100.50",
        "100.50",
        False,
        "low",
    )
    assert amount["citation"] == {"page": 1, "box": [0.1, 0.2, 0.3, 0.4], "text": "100.50"}
    assert amount["evidence"] == []
    assert amount["doubt"] == {"code": "models_differ", "text": "The models differ: 100.50 and 1,190.50."}
    assert amount["candidates"] == [
        {
            "value": "1190.50",
            "text": "1,190.50",
            "sources": ["verifier"],
            "score": 0.7,
            "citation": {"page": 1, "box": [0.15, 0.0, 0.3, 0.02], "text": "1,190.50"},
        }
    ]
    assert review["checks"] == [
        {"code": "lines_subtotal", "text": "Lines 81.50, subtotal 81.50.", "holds": True, "difference": "0.00"},
        {
            "code": "tax_of_all_rates_tax",
            "text": "Tax of all rates 15.49, tax 19.00: 3.51 too little.",
            "holds": False,
            "difference": "-3.51",
        },
    ]
    assert review["pages"] == [{"page": 1, "width": 595.0, "height": 842.0}]


async def test_an_invoice_of_an_earlier_version_opens_without_candidates(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account, evidence=None)
    review = await review_of(client, record)
    assert (review["fields"]["amount"]["value"], review["fields"]["amount"]["candidates"]) == ("100.50", [])
    assert review["pages"] == [{"page": 1, "width": None, "height": None}]
    page = await client.get(f"/v1/invoices/{record.invoice.id}/pages/1")
    assert (page.status_code, page.json()["words"]) == (200, [])


async def test_evidence_that_is_gone_or_damaged_keeps_no_review_from_opening(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    key = evidence_key_of(account.id, record.invoice.id, record.attempt)
    await files.write(key, b"damaged")
    assert (await review_of(client, record))["fields"]["amount"]["candidates"] == []
    await files.delete(key)
    assert (await review_of(client, record))["fields"]["amount"]["candidates"] == []


async def test_a_correction_is_what_the_invoice_answers_from_then_on(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    place = {"page": 1, "box": [0.15, 0, 0.3, 0.02], "text": "1,190.50"}
    answer = await put(client, record, revision=0, fields={"amount": {"value": "1190.5", "citation": place}})
    assert answer.status_code == 200, answer.text
    assert answer.json() == await review_of(client, record)
    amount = answer.json()["fields"]["amount"]
    assert (amount["value"], amount["read"], amount["corrected"]) == ("1190.5", "100.50", True)
    assert amount["decision"]["by"] == "till"
    assert amount["citation"] == place
    invoice = await invoice_of(client, record)
    assert (invoice["amount"], invoice["field_confidence"]) == (1190.5, {"amount": "low"})
    review = invoice["review"]
    assert (review["status"], review["by"], review["fields"]) == ("open", None, ["amount"])
    assert (review["corrections"]["amount"]["read"], review["corrections"]["amount"]["by"]) == ("100.50", "till")
    assert (await client.get("/v1/invoices")).json()["data"] == [invoice]


async def test_to_say_what_was_read_is_a_decision_and_no_correction(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    answer = await put(client, record, revision=0, fields={"amount": {"value": "100.5"}})
    amount = answer.json()["fields"]["amount"]
    assert (amount["value"], amount["corrected"], amount["decision"]["by"]) == ("100.50", False, "till")
    assert amount["citation"] == {"page": 1, "box": [0.1, 0.2, 0.3, 0.4], "text": "100.50"}
    taken_back = await put(client, record, revision=1, fields={"amount": None})
    assert taken_back.json()["fields"]["amount"]["decision"] is None


async def test_null_is_not_printed(client: httpx.AsyncClient, store: Store, files: Files, account: Account) -> None:
    record = await read_one(store, files, account)
    answer = await put(client, record, revision=0, fields={"tax": {"value": None}, "iban": {"value": "de89 3704"}})
    assert answer.json()["fields"]["tax"]["value"] is None
    invoice = await invoice_of(client, record)
    assert (invoice["tax"], invoice["details"]["iban"]) == (None, "DE893704")


async def test_a_table_is_replaced_as_a_whole(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    rows = [{"description": "Bolt", "quantity": "2", "unit_price": "40.75"}, {"description": "Nut", "total": "1.00"}]
    answer = await put(client, record, revision=0, line_items=rows)
    assert answer.status_code == 200, answer.text
    table = answer.json()["line_items"]
    # What was read the same keeps the models' word.
    assert [(row["description"], row["confidence"]) for row in table["value"]] == [("Bolt", "high"), ("Nut", None)]
    assert len(table["read"]) == 1
    assert [item["total"] for item in (await invoice_of(client, record))["line_items"]] == [None, 1.0]
    back = await put(client, record, revision=1, line_items=None)
    assert (back.json()["line_items"]["corrected"], len(back.json()["line_items"]["value"])) == (False, 1)


async def test_the_tax_of_each_rate_is_corrected_as_a_table(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    read = (await review_of(client, record))["tax_lines"]
    assert (read["confidence"], read["value"][0]["citation"]["text"]) == ("mid", "19 % 81.50 15.49")
    rows = [{"rate": "19", "base": "50.00", "amount": "9.50"}, {"rate": "7", "base": "31.50", "amount": "9.50"}]
    answer = await put(client, record, revision=0, tax_lines=rows)
    assert answer.status_code == 200, answer.text
    table = answer.json()["tax_lines"]
    assert [(row["rate"], row["amount"], row["citation"]) for row in table["value"]] == [
        ("19", "9.50", None),
        ("7", "9.50", None),
    ]
    assert (table["corrected"], table["read"]) == (True, read["value"])
    assert answer.json()["checks"][-1]["text"] == "Tax of all rates 19.00, tax 19.00."
    invoice = await invoice_of(client, record)
    assert (invoice["details"]["tax_lines"][1]["base"], invoice["review"]["fields"]) == (31.5, ["tax_lines"])
    assert_error(
        await put(client, record, revision=1, tax_lines=[{"rate": "x"}]),
        400,
        "invalid_request_error",
        "invalid_parameter",
    )
    back = (await put(client, record, revision=1, tax_lines=None)).json()["tax_lines"]
    assert (back["corrected"], back["value"]) == (False, read["value"])


async def test_an_invoice_is_confirmed_rejected_and_opened_again(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    confirmed = (await put(client, record, revision=0, status="confirmed")).json()
    assert (confirmed["status"], confirmed["by"]) == ("confirmed", "till")
    assert_error(
        await put(client, record, revision=1, status="rejected"), 400, "invalid_request_error", "invalid_parameter"
    )
    rejected = (await put(client, record, revision=1, status="rejected", reason="not ours")).json()
    assert (rejected["status"], rejected["reason"]) == ("rejected", "not ours")
    assert (await invoice_of(client, record))["review"]["reason"] == "not ours"
    assert [each["id"] for each in (await client.get("/v1/invoices?review=rejected")).json()["data"]] == [
        str(record.invoice.id)
    ]
    assert (await client.get("/v1/invoices?review=not_rejected")).json()["data"] == []
    assert [each["total_billed"] for each in (await client.get("/v1/vendors")).json()["data"]] == [0]
    opened = (await put(client, record, revision=2, status="open")).json()
    assert (opened["status"], opened["by"], opened["reason"]) == ("open", None, None)
    entries = await AuditTrail(store.audit).of_target(account.id, str(record.invoice.id), 10)
    assert [(entry.action, entry.actor.name) for entry in entries] == [
        ("invoice.reopened", "till"),
        ("invoice.rejected", "till"),
        ("invoice.confirmed", "till"),
    ]


async def test_an_old_revision_is_409_and_changes_nothing(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    await put(client, record, revision=0, fields={"amount": {"value": "1"}})
    before = await review_of(client, record)
    answer = await put(client, record, revision=0, fields={"amount": {"value": "2"}})
    assert_error(answer, 409, "invalid_request_error", "review_changed")
    assert await review_of(client, record) == before


async def test_a_change_that_says_nothing_new_keeps_the_revision(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    first = (await put(client, record, revision=0, fields={"amount": {"value": "1"}})).json()
    again = (await put(client, record, revision=1, fields={"amount": {"value": "1"}})).json()
    assert again == first


async def test_a_failed_invoice_has_nothing_to_decide(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    failed = await fail_one(store, account)
    answer = await client.put(f"/v1/invoices/{failed.id}/review", json={"revision": 0, "status": "confirmed"})
    assert_error(answer, 400, "invalid_request_error", "invoice_not_complete")


async def test_a_check_is_confirmed_by_its_kind(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    odd = await complete_invoice(store, account.id, READ.model_copy(update={"checks": [alert()]}))
    path = f"/v1/invoices/{odd.id}"

    async def say(revision: int, **checks: bool) -> httpx.Response:
        return await client.put(f"{path}/review", json={"revision": revision, "supplier_checks": checks})

    async def found() -> tuple[str | None, int]:
        (check,) = (await client.get(path)).json()["checks"]
        return check["confirmed_by"], len((await client.get("/v1/invoices?has_alerts=true")).json()["data"])

    assert await found() == (None, 1)
    assert (await say(0, bank_account_changed=True)).json()["revision"] == 1
    assert await found() == ("till", 0)
    assert (await say(1, bank_account_changed=False)).status_code == 200
    assert await found() == (None, 1)
    assert_error(await say(2, number_reused=True), 400, "invalid_request_error", "invalid_parameter")
    assert_error(await say(2, weather=True), 400, "invalid_request_error", "invalid_body")
    trail = await AuditTrail(store.audit).of_target(account.id, str(odd.id), 10)
    assert [(entry.action, dict(entry.details)) for entry in trail] == [
        ("invoice.check_reopened", {"check": "bank_account_changed"}),
        ("invoice.check_confirmed", {"check": "bank_account_changed"}),
    ]
