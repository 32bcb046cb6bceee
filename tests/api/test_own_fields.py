"""`/v1/fields`, and own fields of invoices."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.evidence import Evidence, PageWords, pack
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import CustomValue, Extraction, LineItem
from serve_app.domain.record import InvoiceRecord, evidence_key_of
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.support import NOON, claim_next, queue_new
from tests.support.mails import complete_invoice


def page_of(text: str) -> Evidence:
    """A page with one line, whose words are 900 units apart."""
    boxes = [edge for at in range(len(text.split())) for edge in (900 * at, 1000, 900 * at + 850, 1200)]
    return Evidence((PageWords(1, 595, 842, text, tuple(boxes)),))


async def put(client: httpx.AsyncClient, name: str = "plate", **body: Any) -> httpx.Response:
    return await client.put(f"/v1/fields/{name}", json={"label": "Licence plate", **body})


class TestFields:
    async def test_a_field_is_added_replaced_and_listed(self, client: httpx.AsyncClient) -> None:
        assert (await client.get("/v1/fields")).json() == {"object": "list", "data": [], "has_more": False}
        added = (await put(client, captions=[" Plate  no.", "plate NO."])).json()
        assert added == {
            **{"object": "field", "name": "plate", "label": "Licence plate", "type": "text", "scope": "header"},
            **{"choices": [], "captions": ["plate NO."], "required": False},
        }
        size = (await put(client, "size", type="choice", choices=["small", "large"])).json()
        replaced = (await put(client, label="Plate", required=True)).json()
        assert replaced == added | {"label": "Plate", "captions": [], "required": True}
        assert (await client.get("/v1/fields")).json()["data"] == [replaced, size]

    @pytest.mark.parametrize(
        ("name", "body", "param"),
        [
            ("Plate", {}, "name"),
            ("x" * 41, {}, "name"),
            ("plate", {"label": " "}, "label"),
            ("plate", {"choices": ["a"]}, "choices"),
            ("plate", {"type": "choice"}, "choices"),
        ],
    )
    async def test_a_wrong_definition_is_refused(
        self, client: httpx.AsyncClient, name: str, body: dict[str, Any], param: str
    ) -> None:
        answer = await put(client, name, **body)
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        assert answer.json()["error"]["param"] == param

    @pytest.mark.parametrize(("param", "value"), [("type", "date"), ("scope", "line")])
    async def test_the_type_and_the_scope_of_a_field_stay(
        self, client: httpx.AsyncClient, param: str, value: str
    ) -> None:
        await put(client)
        answer = await put(client, **{param: value})
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        assert answer.json()["error"]["param"] == param

    async def test_an_account_has_at_most_fifty(self, client: httpx.AsyncClient, store: Store) -> None:
        for number in range(50):
            assert (await put(client, f"f{number}")).status_code == 200
        assert_error(await put(client, "more"), 400, "invalid_request_error", "invalid_parameter")
        assert (await put(client, "f7", label="Seven")).status_code == 200

    async def test_a_deleted_field_is_gone(self, client: httpx.AsyncClient) -> None:
        await put(client)
        assert (await client.delete("/v1/fields/plate")).status_code == 204
        assert (await client.get("/v1/fields")).json()["data"] == []
        assert_error(await client.delete("/v1/fields/plate"), 404, "not_found", "field_not_found")


class TestReview:
    async def test_values_of_own_fields_are_decided_in_the_review(
        self, client: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        await put(client, "delivered", type="date")
        invoice = await complete_invoice(store, account.id, Extraction())
        place = {"page": 1, "box": [0.1, 0.2, 0.3, 0.25], "text": "1 March 2026"}
        fields = {"custom.delivered": {"value": "2026-03-01", "citation": place}}
        decided = await client.put(f"/v1/invoices/{invoice.id}/review", json={"revision": 0, "fields": fields})
        assert decided.status_code == 200
        custom = (await client.get(f"/v1/invoices/{invoice.id}")).json()["custom"]
        assert (custom["delivered"]["value"], custom["delivered"]["source"]) == ("2026-03-01", "person")
        assert custom["delivered"]["citation"] == place
        back = {"revision": 1, "fields": {"custom.delivered": None}}
        await client.put(f"/v1/invoices/{invoice.id}/review", json=back)
        assert (await client.get(f"/v1/invoices/{invoice.id}")).json()["custom"]["delivered"]["value"] is None

    @pytest.mark.parametrize(
        ("name", "value", "param"),
        [
            ("custom.none", "x", "fields"),
            ("custom.delivered", "1 March", "fields.custom.delivered.value"),
            ("custom.size", "huge", "fields.custom.size.value"),
            ("custom.weight", "1,5", "fields.custom.weight.value"),
        ],
    )
    async def test_a_value_that_the_field_cannot_have_is_refused(
        self, client: httpx.AsyncClient, store: Store, account: Account, name: str, value: str, param: str
    ) -> None:
        await put(client, "delivered", type="date")
        await put(client, "weight", type="number")
        await put(client, "size", type="choice", choices=["small", "large"])
        invoice = await complete_invoice(store, account.id, Extraction())
        body = {"revision": 0, "fields": {name: {"value": value}}}
        answer = await client.put(f"/v1/invoices/{invoice.id}/review", json=body)
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        assert answer.json()["error"]["param"] == param


class TestReviewOfLines:
    @pytest.fixture
    async def path(self, client: httpx.AsyncClient, store: Store, account: Account) -> str:
        """The review of an invoice of two lines, whose own field has no value yet."""
        await put(client, "lot", scope="line")
        lines = [
            LineItem(description=name, quantity=None, unit_price=None, confidence=None, custom={"lot": CustomValue()})
            for name in ("Oil", "Gas")
        ]
        invoice = await complete_invoice(store, account.id, Extraction(line_items=lines, pages=1))
        return f"/v1/invoices/{invoice.id}/review"

    async def lots(self, client: httpx.AsyncClient, path: str) -> list[tuple[str | None, str | None]]:
        invoice = (await client.get(path.removesuffix("/review"))).json()
        return [(line["custom"]["lot"]["value"], line["custom"]["lot"]["source"]) for line in invoice["line_items"]]

    async def test_values_are_decided_line_by_line(self, client: httpx.AsyncClient, path: str) -> None:
        fields = {"line.2.custom.lot": {"value": "A 1"}}
        answer = await client.put(path, json={"revision": 0, "fields": fields})
        assert answer.status_code == 200
        assert answer.json()["line_items"]["value"][1]["custom"]["lot"]["value"] == "A 1"
        assert answer.json()["line_items"]["decision"] is None
        assert await self.lots(client, path) == [(None, None), ("A 1", "person")]
        invoice = (await client.get(path.removesuffix("/review"))).json()
        assert (invoice["review"]["fields"], invoice["field_source"]["line_items"]) == (["line.2.custom.lot"], "models")

    async def test_rows_have_them_and_keep_them(self, client: httpx.AsyncClient, path: str) -> None:
        rows = [{"description": "Tar", "custom": {"lot": {"value": "T 1"}}}, {"description": "Oil"}]
        answer = await client.put(path, json={"revision": 0, "line_items": [*rows, {"description": "Gas"}]})
        assert answer.status_code == 200
        assert await self.lots(client, path) == [("T 1", "person"), (None, None), (None, None)]
        await client.put(path, json={"revision": 1, "line_items": [{"description": "Gas"}, rows[0]]})
        assert await self.lots(client, path) == [(None, None), ("T 1", "person")]

    @pytest.mark.parametrize(
        "change",
        [
            {"fields": {"line.3.custom.lot": {"value": "A 1"}}},
            {"fields": {"line.1.custom.none": {"value": "A 1"}}},
            {"fields": {"line.0.custom.lot": {"value": "A 1"}}},
            {"fields": {"custom.lot": {"value": "A 1"}}},
            {"line_items": [{"description": "Oil", "custom": {"none": {"value": "A 1"}}}]},
            {"line_items": [{"custom": {"lot": {"value": "A", "citation": {"page": 9, "box": [0, 0, 1, 1]}}}}]},
        ],
    )
    async def test_what_is_no_value_of_a_line_is_refused(
        self, client: httpx.AsyncClient, path: str, change: dict[str, Any]
    ) -> None:
        answer = await client.put(path, json={"revision": 0, **change})
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")


async def test_invoices_are_found_by_an_own_field(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    read = Extraction(custom={"plate": CustomValue(value="B-XY 12")})
    invoice = await complete_invoice(store, account.id, read)
    await complete_invoice(store, account.id, Extraction())
    found = (await client.get("/v1/invoices", params={"custom": "plate:B-XY 12"})).json()["data"]
    assert [each["id"] for each in found] == [str(invoice.id)]
    assert found[0]["custom"]["plate"]["source"] == "models"
    assert (await client.get("/v1/invoices", params={"custom": "plate:B"})).json()["data"] == []


class TestPointing:
    @pytest.fixture
    async def path(self, client: httpx.AsyncClient, store: Store, files: Files, account: Account) -> str:
        """The delivery date of a complete invoice, whose words are known."""
        await put(client, "delivered", type="date", label="Delivered")
        await put(client, "plate")
        record = await read_page(store, files, account, "Delivered 14 September 2026 Plate B-XY 12")
        return f"/v1/invoices/{record.invoice.id}/custom/delivered"

    async def test_what_is_printed_in_a_box_becomes_the_value(self, client: httpx.AsyncClient, path: str) -> None:
        citation = {"page": 1, "box": [0.09, 0.09, 0.51, 0.13]}
        answer = await client.put(path, json={"citation": citation})
        assert answer.status_code == 200
        delivered = answer.json()["custom"]["delivered"]
        assert (delivered["value"], delivered["source"]) == ("2026-09-14", "person")
        assert delivered["citation"]["text"] == "14 September 2026"
        entered = await client.put(path.replace("delivered", "plate"), json={"value": " B-XY  12"})
        assert entered.json()["custom"]["plate"]["value"] == "B-XY 12"
        assert entered.json()["review"]["fields"] == ["custom.delivered", "custom.plate"]
        nothing = await client.put(path, json={"value": None})
        assert nothing.json()["custom"]["delivered"]["value"] is None

    async def test_a_box_without_a_value_of_the_type_is_refused(self, client: httpx.AsyncClient, path: str) -> None:
        for box in ([0.5, 0.5, 0.6, 0.6], [0.0, 0.09, 0.09, 0.13]):
            answer = await client.put(path, json={"citation": {"page": 1, "box": box}})
            assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        unknown = await client.put(path.replace("delivered", "none"), json={"value": "x"})
        assert_error(unknown, 404, "not_found", "field_not_found")

    async def test_a_value_of_a_line_is_pointed_at(
        self, client: httpx.AsyncClient, store: Store, files: Files, account: Account
    ) -> None:
        await put(client, "lot", scope="line")
        line = LineItem(description="Oil", quantity=None, unit_price=None, confidence=None)
        record = await read_page(store, files, account, "Oil A1 7.00", [line])
        path = f"/v1/invoices/{record.invoice.id}/custom/lot"
        body = {"line": 1, "citation": {"page": 1, "box": [0.08, 0.09, 0.18, 0.13]}}
        (pointed,) = (await client.put(path, json=body)).json()["line_items"]
        assert (pointed["custom"]["lot"]["value"], pointed["custom"]["lot"]["source"]) == ("A1", "person")
        for number in (None, 2):
            answer = await client.put(path, json=body | {"line": number})
            assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        await put(client, "plate")
        answer = await client.put(path.replace("lot", "plate"), json=body)
        assert answer.json()["error"]["param"] == "line"

    async def test_the_next_invoice_has_the_value(
        self, client: httpx.AsyncClient, store: Store, files: Files, account: Account, path: str
    ) -> None:
        await client.put(path, json={"citation": {"page": 1, "box": [0.09, 0.09, 0.51, 0.13]}})
        finder = OwnFieldFinder(store.own_fields, store.own_field_examples)
        evidence = pack(page_of("Delivered 21 October 2026 Plate B-XY 12"))
        section = Section(1, 1, Extraction(vendor_name="Acme"), evidence=evidence, keys=("name:acme",))
        (found,) = await finder.apply(account.id, new_id(), [section])
        assert found.extraction.custom["delivered"].value == "2026-10-21"
        assert found.extraction.custom["plate"].value is None


async def read_page(
    store: Store, files: Files, account: Account, text: str, lines: Sequence[LineItem] = ()
) -> InvoiceRecord:
    """A complete invoice with this text on its page."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    key = evidence_key_of(account.id, claim.invoice.id, 1)
    await files.write(key, pack(page_of(text)))
    extraction = Extraction(vendor_name="Acme", pages=1, line_items=list(lines))
    await store.queue.save_result(claim, extraction, NOON, (), NOTHING_KNOWN, key)
    record = await store.invoices.find_record(account.id, claim.invoice.id)
    assert record is not None
    return record
