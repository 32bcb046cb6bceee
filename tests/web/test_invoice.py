"""The page of one invoice."""

import json
import re
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.einvoice_validation import FindingSeverity
from serve_app.domain.embedded_data import (
    Code,
    CodeDifference,
    CodeValues,
    EInvoiceCheck,
    EInvoiceDifference,
    EInvoiceField,
    EInvoiceFinding,
    EInvoiceValidation,
)
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    CheckKind,
    CheckSeverity,
    Citation,
    Confidence,
    Detail,
    Details,
    Failure,
    FailureCode,
    Field,
    Invoice,
    LineItem,
    SupplierCheck,
    TaxLine,
)
from serve_app.domain.person import Role
from serve_app.store.base import Files, Store
from tests.store.test_reviews import say, saying
from tests.support import NOON, PDF_BYTES, claim_next, newest_events, queue_new
from tests.support.mails import READ, complete_invoice
from tests.support.suppliers import alert
from tests.web.conftest import Browse

LINE = LineItem(description="<i>Ink</i>", quantity=Decimal(2), unit_price=Decimal("500.25"), confidence=Confidence.LOW)
FULL = READ.model_copy(
    update={
        "pages": 2,
        "line_items": [LINE],
        "field_confidence": {Field.AMOUNT: Confidence.MID, Field.VENDOR: Confidence.HIGH},
        "citations": {
            Field.AMOUNT: Citation(page=2, box=(0.5, 0.25, 0.75, 0.3), text="1.190,50"),
            Field.LINE_ITEMS: [Citation(page=1, box=(0.1, 0.5, 0.9, 0.55), text="Ink")],
        },
        "details": Details(
            subtotal=Decimal("1000.5"),
            iban="DE89370400440532013000",
            tax_lines=[TaxLine(rate=Decimal(19), base=Decimal("1000.5"), amount=Decimal("189.9"))],
            field_confidence={Detail.SUBTOTAL: Confidence.HIGH},
        ),
        "einvoice": EInvoiceCheck(
            profile="EN 16931",
            matches_page=False,
            differences=[EInvoiceDifference(field=EInvoiceField.DUE_AT, einvoice="2026-07-01", page="2026-06-01")],
            validation=EInvoiceValidation(
                profile="urn:cen.eu:en16931:2017",
                valid=False,
                checked_by=["UBL 2.1 schema", "EN 16931"],
                not_checked=["A national rule book"],
                findings=[
                    EInvoiceFinding(
                        rule="BR-06",
                        severity=FindingSeverity.ERROR,
                        text="An Invoice shall contain the Seller name (BT-27).",
                        place="Invoice",
                    )
                ],
            ),
        ),
        "codes": [
            Code(
                kind=CodeKind.EPC,
                profile="EPC payment code",
                page=2,
                box=(0.1, 0.8, 0.2, 0.9),
                text="BCD",
                values=CodeValues(amount=Decimal("1290.5")),
                matches_page=False,
                differences=[CodeDifference(field=EInvoiceField.AMOUNT, code="1290.5", page="1190.5")],
            )
        ],
    }
)


@pytest.fixture
async def invoice(store: Store, files: Files, account: Account) -> Invoice:
    invoice = await complete_invoice(store, account.id, FULL)
    await files.write(f"{account.id}/{invoice.id}", PDF_BYTES)
    return invoice


async def test_the_electronic_invoice_can_be_saved(browse: Browse, invoice: Invoice) -> None:
    address = f"/app/invoices/{invoice.id}/einvoice"
    assert f'href="{address}"' in (await browse().get(f"/app/invoices/{invoice.id}")).text
    answer = await browse().get(address)
    assert (answer.status_code, answer.content) == (200, b"<Invoice/>")
    assert answer.headers["Content-Disposition"].startswith("attachment")


async def test_broken_rules_of_the_electronic_invoice_are_listed(browse: Browse, invoice: Invoice) -> None:
    text = (await browse().get(f"/app/invoices/{invoice.id}")).text
    assert "Breaks rules" in text
    assert "UBL 2.1 schema, EN 16931" in text
    assert "An Invoice shall contain the Seller name (BT-27)." in text
    assert "BR-06, Invoice" in text
    assert "Not checked: A national rule book" in text


async def test_values_stand_beside_their_places(browse: Browse, invoice: Invoice) -> None:
    text = (await browse().get(f"/app/invoices/{invoice.id}")).text
    pages = re.findall(r'<img src="([^"]+)"', text)
    assert pages == [f"/app/invoices/{invoice.id}/pages/{number}.jpg" for number in (1, 2)]
    first, second = text.split('data-page="2"')
    assert '<rect class="place low" data-key="line-0"' in first
    assert '<rect class="place mid" data-key="amount" x="0.5" y="0.25" width="0.25" height="0.05"' in second
    assert 'href="#page-2" data-show="amount"' in text
    assert "&lt;i&gt;Ink&lt;/i&gt;" in text


async def test_a_value_that_somebody_entered_is_reported_as_entered(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    lines = [{"description": "Nut", "quantity": "2", "unit_price": "3", "total": None, "tax_rate": None}]
    await say(store, record, record.review.changed(saying(vendor="Corrected Ltd", subtotal="7", line_items=lines)))
    browser = browse()
    text = (await browser.get(f"/app/invoices/{invoice.id}", headers={"Accept-Language": "de"})).text
    values = text.partition('id="h-values"')[2].partition('id="h-sums"')[0]
    assert "ann@example.com entered this value on 2026-05-17. The models read: ACME GmbH" in values
    assert "The models read: 1.000,50" in values
    assert "The models read: other rows" in text
    vendor = values.partition('data-key="vendor"')[2].partition("data-key")[0]
    assert "level high" not in vendor
    listed = (await browser.get("/app/invoices?show=level")).text
    assert "Entered, not read: vendor, subtotal, line items" in listed


async def test_what_somebody_entered_is_not_verified_by_models(browse: Browse, store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id, FULL.model_copy(update={"auto_verified": True}))
    assert ">Verified</span>" in (await browse().get(f"/app/invoices/{invoice.id}")).text
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    await say(store, record, record.review.changed(saying(amount="7.25")))
    text = (await browse().get(f"/app/invoices/{invoice.id}")).text
    assert ">Verified</span>" not in text
    assert ">Corrected</span>" in text


async def test_sums_say_what_checks_out_and_what_does_not(browse: Browse, invoice: Invoice) -> None:
    text = (await browse().get(f"/app/invoices/{invoice.id}", headers={"Accept-Language": "de"})).text
    sums = re.sub(r"<[^>]+>|\s+", " ", text.partition('id="h-sums"')[2].partition("</section>")[0])
    assert "Checks out Lines 1.000,50 EUR, subtotal 1.000,50 EUR" in re.sub(" +", " ", sums)
    assert "Checks out Subtotal and tax 1.190,50 EUR, amount 1.190,50 EUR" in re.sub(" +", " ", sums)
    assert "Differs by 0,10 EUR Tax of all rates 189,90 EUR, tax 190,00 EUR" in re.sub(" +", " ", sums)


async def test_the_electronic_invoice_and_duplicates_are_pointed_out(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    again = await complete_invoice(store, account.id, FULL)
    text = (await browse().get(f"/app/invoices/{again.id}")).text
    assert "Due date: 2026-07-01 in the electronic invoice, 2026-06-01 on the page" in text
    assert "Amount: 1290.5 in the code, 1190.5 on the page" in text
    assert f'href="/app/invoices/{invoice.id}"' in text


async def test_history_shows_who_did_what(browse: Browse, store: Store, account: Account, invoice: Invoice) -> None:
    await newest_events(store, account.id)
    browser = browse()
    form = {"act": "paid", "id": str(invoice.id), "from": str(invoice.id)}
    answer = await browser.post("/app/invoices/act", data=form)
    assert answer.headers["location"] == f"/app/invoices/{invoice.id}"
    text = (await browser.get(answer.headers["location"])).text
    history = text.partition('id="h-history"')[2]
    assert "Marked as paid by ada@example.com" in history
    assert "Sent through the API" in history
    (event,) = await newest_events(store, account.id)
    assert f'href="/app/events/{event.id}"' in history
    (deliveries,) = re.findall(r'href="(/app/deliveries[^"]+)"', history)
    assert f'value="{event.id}"' in (await browser.get(deliveries)).text
    assert "Mark as unpaid" in text


async def test_pictures_are_private_and_the_document_is_only_saved(browse: Browse, invoice: Invoice) -> None:
    browser = browse()
    picture = await browser.get(f"/app/invoices/{invoice.id}/pages/2.jpg")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.headers["cache-control"] == "private, no-cache"
    assert picture.content.startswith(b"\xff\xd8page 2")
    missing = await browser.get(f"/app/invoices/{invoice.id}/pages/3.jpg")
    assert missing.headers["content-type"] == "image/svg+xml"
    file = await browser.get(f"/app/invoices/{invoice.id}/file")
    assert file.content == PDF_BYTES
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.headers["x-content-type-options"] == "nosniff"


async def test_the_json_is_that_of_the_api(browse: Browse, invoice: Invoice) -> None:
    answer = await browse().get(f"/app/invoices/{invoice.id}/json")
    assert answer.json() == json.loads(invoice.model_dump_json())


async def test_a_failure_says_what_to_do(browse: Browse, store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
    failed = await store.queue.fail(await claim_next(store), failure, NOON)
    assert failed is not None
    text = (await browse().get(f"/app/invoices/{failed.id}")).text
    assert "The PDF is protected with a password. Enter its password below" in text
    assert 'value="paid"' not in text


async def test_a_page_of_a_running_invoice_is_loaded_again_once_it_is_read(
    browse: Browse, store: Store, account: Account
) -> None:
    record = await queue_new(store, account.id)
    browser, path = browse(), f"/app/invoices/{record.invoice.id}"
    assert f'data-poll="{path}/state"' in (await browser.get(path)).text
    waiting = await browser.get(f"{path}/state")
    assert (waiting.status_code, "hx-refresh" in waiting.headers) == (204, False)
    await store.queue.save_result(await claim_next(store), READ, NOON)
    assert (await browser.get(f"{path}/state")).headers["hx-refresh"] == "true"
    assert "data-poll" not in (await browser.get(path)).text


async def test_the_list_is_left_for_its_next_invoice(browse: Browse, store: Store, account: Account) -> None:
    made = [await complete_invoice(store, account.id) for _ in range(2)]
    browser = browse()
    newer = (await browser.get(f"/app/invoices/{made[1].id}?vendor=acme")).text
    assert f'rel="next" href="/app/invoices/{made[0].id}?vendor=acme"' in newer
    assert 'href="/app/invoices?vendor=acme"' in newer
    assert 'rel="next"' not in (await browser.get(f"/app/invoices/{made[0].id}?vendor=acme")).text


@pytest.mark.parametrize("tail", ["", "/pages/1.jpg", "/file", "/json", "/state"])
async def test_invoices_of_others_are_not_there(browse: Browse, store: Store, account: Account, tail: str) -> None:
    other = Account(UUID(int=7), account.plan, account.created_at)
    await store.accounts.add(other)
    foreign = await complete_invoice(store, other.id)
    for id in (foreign.id, new_id(), "nonsense"):
        assert (await browse().get(f"/app/invoices/{id}{tail}")).status_code == 404, id


async def test_a_viewer_sees_no_buttons(browse: Browse, invoice: Invoice) -> None:
    text = (await browse(Role.VIEWER).get(f"/app/invoices/{invoice.id}")).text
    assert 'name="act"' not in text


async def test_checks_stand_on_the_page_in_the_list_and_in_the_review(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    check = SupplierCheck(
        kind=CheckKind.BANK_ACCOUNT_CHANGED,
        severity=CheckSeverity.ALERT,
        text="The bank account DE89…3000 is new for this supplier; the last one was DE88…5700.",
        since=None,
        evidence=[invoice.id],
    )
    odd = await complete_invoice(store, account.id, FULL.model_copy(update={"checks": [check]}))
    browser = browse(Role.REVIEWER)
    for page in (f"/app/invoices/{odd.id}", f"/app/review/{odd.id}"):
        text = (await browser.get(page)).text
        assert "The bank account DE89…3000 is new for this supplier" in text
        assert f'href="/app/invoices/{invoice.id}"' in text
    listed = (await browser.get("/app/invoices")).text
    assert listed.count("Alert</span>") == 1


@pytest.mark.parametrize("page", ["invoices", "review"])
async def test_a_person_confirms_a_new_account_once(browse: Browse, store: Store, account: Account, page: str) -> None:
    odd = await complete_invoice(store, account.id, FULL.model_copy(update={"checks": [alert()]}))
    browser, path = browse(Role.REVIEWER), f"/app/{page}/{odd.id}"
    assert "Confirm account</button>" in (await browser.get(path)).text

    form = {"confirm": "bank_account_changed", "from": "invoice" if page == "invoices" else ""}
    answer = await browser.post(f"/app/review/{odd.id}/checks", data=form)
    assert answer.headers["location"].startswith(path)
    text = (await browser.get(path)).text
    assert re.search(r"Confirmed by \S+@", text)
    assert "Confirm account</button>" not in text
    assert "Withdraw</button>" in text
    assert "Alert</span>" not in (await browser.get("/app/invoices")).text
    assert "Alert confirmed" in (await browser.get(f"/app/invoices/{odd.id}")).text

    await browser.post(f"/app/review/{odd.id}/checks", data={"withdraw": "bank_account_changed"})
    assert "Confirm account</button>" in (await browser.get(path)).text
    viewer = browse(Role.VIEWER)
    assert "Confirm account</button>" not in (await viewer.get(path)).text
    assert (await viewer.post(f"/app/review/{odd.id}/checks", data=form)).status_code == 403
