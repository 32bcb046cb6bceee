"""The page of exports: settings, a preview, what is not ready, the receipt, and the lock."""

import re
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.datastructures import FormData

from serve_app.domain.account import Account
from serve_app.domain.export import ExportDelivery, ExportFormat
from serve_app.domain.invoice import Confidence, CustomValue, Extraction, Invoice
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.person import Role
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.store.base import Store
from serve_app.web.exports.forms import fields_of, settings_in
from tests.services.exports.bills import read_invoice
from tests.support import UNKNOWN_ID
from tests.support.exports import new_export
from tests.support.mails import complete_invoice
from tests.web.conftest import Browse

FORM = {
    "format": "datev",
    "consultant": "1001",
    "client": "1",
    "expense_account": "4980",
    "vendor_accounts": "Acme GmbH = 70001\n<b>A=B</b> = 70002",
    "tax_codes": "19 = 9\n7 = 8",
}


@pytest.fixture
def store_kind() -> str:
    return "sqlite"


async def add(store: Store, account: Account, level: Confidence = Confidence.HIGH, number: str = "R-1") -> Invoice:
    read = read_invoice(level, number=number)
    values = {name: getattr(read, name) for name in Extraction.model_fields}
    return await complete_invoice(store, account.id, Extraction.model_validate(values))


@pytest.fixture
def reviewer(browse: Browse) -> httpx.AsyncClient:
    return browse(Role.REVIEWER)


async def test_the_empty_page_says_the_next_step(reviewer: httpx.AsyncClient) -> None:
    text = (await reviewer.get("/app/exports")).text
    assert "No exports yet" in text
    assert "Review invoices" in text


@pytest.mark.parametrize("format", list(ExportFormat))
async def test_each_format_has_its_settings_as_fields_with_labels(
    reviewer: httpx.AsyncClient, format: ExportFormat
) -> None:
    text = (await reviewer.get("/app/exports", params={"format": format})).text
    for name in FORMATS[format].settings.model_fields:
        assert f'name="{name}"' in text
        assert f'for="s-{name}"' in text or re.search(
            rf'<label class="choice"><input type="checkbox" name="{name}"', text
        )


async def test_settings_are_closed_once_an_export_has_them(
    reviewer: httpx.AsyncClient, store: Store, account: Account
) -> None:
    closed, opened = '<details class="explain"><summary>', '<details class="explain" open><summary>'
    first = (await reviewer.get("/app/exports")).text
    assert f"{opened}Settings of DATEV" in first
    assert f"{opened}Accounts and tax codes" in first
    await add(store, account)
    await reviewer.post("/app/exports", data=FORM)
    later = (await reviewer.get("/app/exports")).text
    assert f"{closed}Settings of DATEV" in later
    assert f"{closed}Accounts and tax codes" in later
    # What must be entered is not hidden.
    wrong = (await reviewer.post("/app/exports/preview", data=FORM | {"consultant": ""})).text
    assert f"{opened}Settings of DATEV" in wrong


async def test_from_the_preview_to_the_receipt_and_the_file(
    reviewer: httpx.AsyncClient, store: Store, account: Account
) -> None:
    invoice, doubtful = await add(store, account), await add(store, account, Confidence.MID, "R-2")
    text = (await reviewer.post("/app/exports/preview", data=FORM)).text
    assert "invoice is ready" in text
    assert "Buchungsstapel" in text
    assert f"/app/review/{doubtful.id}" in text
    assert "nobody has confirmed or approved it" in text
    # What was entered is still there, and harmless.
    assert "&lt;b&gt;A=B&lt;/b&gt; = 70002" in text
    assert (await store.exports.page(account.id, 5)).items == ()
    made = await reviewer.post("/app/exports", data=FORM)
    (export,) = (await store.exports.page(account.id, 5)).items
    assert (made.status_code, made.headers["location"]) == (303, f"/app/exports/{export.id}")
    receipt = (await reviewer.get(made.headers["location"])).text
    assert export.sha256 in receipt
    assert str(invoice.id) in receipt
    file = await reviewer.get(f"/app/exports/{export.id}/file")
    assert file.content.startswith(b'"EXTF";700;21')
    # The next form begins with the last settings.
    text = (await reviewer.get("/app/exports")).text
    assert "Acme GmbH = 70001" in text
    assert export.file_name in text


async def test_a_template_names_own_fields(reviewer: httpx.AsyncClient, store: Store, account: Account) -> None:
    await store.own_fields.put(account.id, OwnField(name="plate", label="Plate", type=OwnFieldType.TEXT))
    read = read_invoice(custom={"plate": CustomValue(value="=B-XY 12", confidence=Confidence.HIGH)})
    values = {name: getattr(read, name) for name in Extraction.model_fields}
    await complete_invoice(store, account.id, Extraction.model_validate(values))
    page = {"format": "template"}
    assert "<code>custom.plate</code>" in (await reviewer.get("/app/exports", params=page)).text
    text = (await reviewer.post("/app/exports/preview", data=page | {"columns": "Plate = custom.plate"})).text
    assert "&#39;=B-XY 12" in text


async def test_what_is_wrong_is_said_and_nothing_is_lost(reviewer: httpx.AsyncClient) -> None:
    wrong = (({"consultant": "x"}, "consultant"), ({"since": "May"}, "since"), ({"tax_codes": "19"}, "tax codes"))
    for change, named in wrong:
        answer = await reviewer.post("/app/exports", data=FORM | change)
        assert answer.status_code == 400
        assert named in answer.text
    nothing = await reviewer.post("/app/exports", data=FORM)
    assert "No invoice is ready" in nothing.text
    assert (await reviewer.get(f"/app/exports/{UNKNOWN_ID}")).status_code == 404
    assert (await reviewer.get("/app/exports/7")).status_code == 404


async def test_an_exported_invoice_is_unlocked_on_its_page(
    reviewer: httpx.AsyncClient, store: Store, account: Account
) -> None:
    invoice = await add(store, account)
    await reviewer.post("/app/exports", data=FORM)
    path = f"/app/invoices/{invoice.id}"
    assert "its values cannot be changed" in (await reviewer.get(path)).text
    assert (await reviewer.post(f"{path}/unlock")).status_code == 303
    assert "its values cannot be changed" not in (await reviewer.get(path)).text


async def test_a_viewer_sees_receipts_and_makes_none(browse: Browse, store: Store, account: Account) -> None:
    invoice = await add(store, account)
    viewer = browse(Role.VIEWER)
    assert "New export" not in (await viewer.get("/app/exports")).text
    for path in ("/app/exports", "/app/exports/preview", f"/app/invoices/{invoice.id}/unlock"):
        assert (await viewer.post(path, data=FORM)).status_code == 403


SCHEDULE = {"format": "datev", "cadence": "weekly", "hour": "6", "address": "ledger@example.com"}
PAGE = "/app/exports/schedules"


class TestSchedules:
    async def test_an_owner_adds_pauses_and_removes_one(self, browse: Browse, store: Store, account: Account) -> None:
        owner = browse(Role.OWNER)
        assert "No schedules yet" in (await owner.get(PAGE)).text
        # There are no settings yet, so it could not run.
        assert "settings.consultant" in (await owner.post(PAGE, data=SCHEDULE)).text
        await add(store, account)
        await owner.post("/app/exports", data=FORM)
        assert (await owner.post(PAGE, data=SCHEDULE)).headers["location"] == PAGE
        (schedule,) = await store.export_schedules.of_account(account.id)
        assert (schedule.place, schedule.settings["client"]) == ("mailto:ledger@example.com", 1)
        text = (await owner.get(PAGE)).text
        assert "Weekly at 6:00 UTC" in text
        assert "Schedules (1)" in (await owner.get("/app/exports")).text
        path = f"{PAGE}/{schedule.id}"
        await owner.post(f"{path}/pause")
        assert "Paused" in (await owner.get(PAGE)).text
        await owner.post(f"{path}/resume")
        assert "Paused" not in (await owner.get(PAGE)).text
        await owner.post(f"{path}/remove")
        assert await store.export_schedules.of_account(account.id) == []
        assert (await owner.post(f"{path}/pause")).status_code == 404

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ({"address": "nobody"}, "e-mail address"),
            ({"address": "a@example.com\r\nBcc: b@example.com"}, "e-mail address"),
            ({"hour": "24"}, "0 to 23"),
            ({"hour": "x"}, "Choose a program"),
            ({"cadence": "hourly"}, "is not one of"),
            ({"cadence": ""}, "Choose a program"),
        ],
    )
    async def test_what_is_wrong_is_said(self, browse: Browse, change: dict[str, str], named: str) -> None:
        answer = await browse(Role.OWNER).post(PAGE, data=SCHEDULE | change)
        assert answer.status_code == 400
        assert named in answer.text

    async def test_only_owners_change_them(self, browse: Browse) -> None:
        reviewer = browse(Role.REVIEWER)
        assert "New schedule" not in (await reviewer.get(PAGE)).text
        for path in (PAGE, f"{PAGE}/{UNKNOWN_ID}/remove"):
            assert (await reviewer.post(path, data=SCHEDULE)).status_code == 403

    async def test_the_receipt_says_how_the_delivery_went(self, browse: Browse, store: Store, account: Account) -> None:
        new = new_export(await add(store, account), account=account)
        delivery = ExportDelivery("/srv/ledger", None, 40, "No space left")
        assert await store.exports.add(replace(new, export=replace(new.export, delivery=delivery)))
        reviewer, path = browse(Role.REVIEWER), f"/app/exports/{new.export.id}"
        text = (await reviewer.get(path)).text
        assert "No space left. No further try." in text
        assert "Not delivered" in (await reviewer.get("/app/exports")).text
        assert (await reviewer.post(f"{path}/deliver")).headers["location"] == path
        assert "Next try" in (await reviewer.get(path)).text
        assert (await browse(Role.VIEWER).post(f"{path}/deliver")).status_code == 403


@pytest.mark.parametrize("format", list(ExportFormat))
def test_settings_survive_their_form(format: ExportFormat) -> None:
    model = FORMATS[format].settings
    given: dict[str, Any] = {
        "expense_account": "4980",
        "vendor_accounts": {"A = B": "70001"},
        "tax_codes": {"19": "9"},
    }
    more: dict[str, Any] = {}
    if format is ExportFormat.DATEV:
        more = {"consultant": 1001, "client": 1, "is_final": True}
    if format is ExportFormat.FLAT_FILE:
        more = {"company": "1000"}
    if format is ExportFormat.TEMPLATE:
        more = {"columns": [{"title": "Wer", "source": "vendor"}], "is_strict": True, "separator": "tab"}
    fields = fields_of(model, given | more)
    form = FormData({field.name: field.value for field in fields if field.value})
    assert model.model_validate(settings_in(model, form)) == model.model_validate(given | more)
