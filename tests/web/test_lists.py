"""The lists of events, API calls, vendors and approvals."""

import re
from datetime import date
from decimal import Decimal
from html import unescape
from typing import cast

import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.api_call import ApiCall
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Details, Failure, FailureCode, Invoice
from serve_app.domain.person import Role
from serve_app.services.bundle import Services
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID, Clock, claim_next, newest_events, queue_new
from tests.support.mails import READ, FakeMailer, complete_invoice
from tests.support.webhooks import URL, manage_endpoints
from tests.web.conftest import Browse

EVIL = READ.model_copy(update={"vendor_name": "<script>x</script>", "invoice_number": "<b>1"})


@pytest.fixture
async def other(store: Store) -> Account:
    account = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(account)
    return account


class TestEvents:
    async def test_events_are_listed_by_type_and_time_for_every_role(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        await complete_invoice(store, account.id, EVIL)
        await queue_new(store, account.id)
        failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="empty")
        await store.queue.fail(await claim_next(store), failure, NOON)
        failed, done = await newest_events(store, account.id)
        for query, shown in (
            ("", {failed.id, done.id}),
            ("type=invoice.failed", {failed.id}),
            ("since=2026-05-17&until=2026-05-17", {failed.id, done.id}),
            ("since=2026-05-18", set()),
        ):
            page = (await browse(Role.VIEWER).get(f"/app/events?{query}")).text
            assert set(re.findall(r'href="/app/events/(evt_[^"]+)"', page)) == shown, query
            assert "<script>x" not in page
        assert "/v1/events?created_after=2026-05-17T23" in unescape(page)

    async def test_an_event_shows_its_json_and_its_deliveries(
        self, browse: Browse, store: Store, clock: Clock, account: Account
    ) -> None:
        await manage_endpoints(store, clock).register(account.id, URL, description="ERP")
        invoice = await complete_invoice(store, account.id, EVIL)
        (event,) = await newest_events(store, account.id)
        page = (await browse().get(f"/app/events/{event.id}")).text
        assert f"/app/invoices/{invoice.id}" in page
        assert "&lt;script&gt;" in page
        assert "<script>x" not in page
        assert re.search(r'href="/app/deliveries/[0-9a-f-]{36}">ERP', page)
        assert "/app/deliveries" not in (await browse(Role.VIEWER).get(f"/app/events/{event.id}")).text

    async def test_another_accounts_event_is_not_there(self, browse: Browse, store: Store, other: Account) -> None:
        await complete_invoice(store, other.id)
        (event,) = await newest_events(store, other.id)
        for id in (event.id, "evt_nothing"):
            assert (await browse().get(f"/app/events/{id}")).status_code == 404
        assert (await browse().get("/app/events?type=x")).status_code == 400
        assert "No events yet" in (await browse().get("/app/events")).text


class TestRequests:
    async def test_calls_are_found_by_id_status_and_key(self, browse: Browse, store: Store, account: Account) -> None:
        key, _ = mint_key(account.id, "till <b>", Scope.FULL, NOON)
        await store.keys.add(key)
        calls = [
            ApiCall(new_id(), account.id, key.id, id, NOON, "GET", "/v1/<i>", status, code, 12)
            for id, status, code in (("mine", 200, None), ("theirs", 404, "invoice_not_found"))
        ]
        await store.calls.add(calls)
        for query, shown in (
            ("", ["theirs", "mine"]),
            ("id=mine", ["mine"]),
            ("status=4", ["theirs"]),
            (f"key={key.id}&status=2", ["mine"]),
            (f"key={UNKNOWN_ID}", []),
        ):
            page = (await browse().get(f"/app/requests?{query}")).text
            assert re.findall(r'<code class="small">(\w+)</code>', page) == shown, query
            assert "<i>" not in page
            assert "till <b>" not in page

    async def test_what_was_just_called_is_there(
        self, browse: Browse, app: FastAPI, store: Store, account: Account
    ) -> None:
        _, raw = await cast(Services, app.state.services).accounts.create_key(account.id, "till")
        browser = browse()
        await browser.get("/v1/me", headers={"Authorization": f"Bearer {raw}", "X-Request-Id": "just-now"})
        assert "just-now" in (await browser.get("/app/requests")).text

    async def test_only_owners_see_calls_and_only_their_own(self, browse: Browse, store: Store, other: Account) -> None:
        await store.calls.add([ApiCall(new_id(), other.id, new_id(), "theirs", NOON, "GET", "/v1/me", 200, None, 1)])
        assert "theirs" not in (await browse().get("/app/requests?id=theirs")).text.replace('value="theirs"', "")
        for role in (Role.REVIEWER, Role.VIEWER):
            assert (await browse(role).get("/app/requests")).status_code == 403
        for query in ("status=9", "key=x", "after=x"):
            assert (await browse().get(f"/app/requests?{query}")).status_code == 400


class TestVendors:
    async def test_spend_is_by_currency_and_month(self, browse: Browse, store: Store, account: Account) -> None:
        details = Details(vendor_tax_id="DE123456789", iban="DE89370400440532013000")
        for number, (day, amount, currency) in enumerate(
            ((date(2026, 3, 2), "100.50", "EUR"), (date(2026, 5, 2), "1000", "EUR"), (date(2026, 5, 3), "7", "USD"))
        ):
            bill = {"issued_at": day, "amount": Decimal(amount), "currency": currency, "invoice_number": f"R{number}"}
            await complete_invoice(store, account.id, READ.model_copy(update=bill | {"details": details}))
        await newest_events(store, account.id)
        (vendor,) = await store.vendors.by_spend(account.id, 10)
        listed = (await browse(Role.VIEWER).get("/app/vendors")).text
        for text in ("ACME GmbH", "1,100.50 EUR", "7.00 USD", f"/app/invoices?vendor_id={vendor.id}"):
            assert text in listed
        page = (await browse(Role.VIEWER).get(f"/app/vendors/{vendor.id}")).text
        assert page.count("<rect") == 24
        for text in ("DE123456789", "DE89370400440532013000", "3 invoices, ", "Mar 26", "100.50 EUR"):
            assert text in page

    async def test_they_are_searched_by_a_part_of_the_name(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        for name in ("Café Nord", "Nordlicht", "Sud"):
            await complete_invoice(store, account.id, READ.model_copy(update={"vendor_name": name}))
        await newest_events(store, account.id)
        browser = browse(Role.VIEWER)
        found = (await browser.get("/app/vendors?name=+cafe+n")).text
        assert "Café Nord" in found
        assert "Nordlicht" not in found
        assert "As API call" not in found
        assert "No vendor matches" in (await browser.get("/app/vendors?name=none")).text
        results = (await browser.get("/app/find?q=NORD")).json()["results"]
        assert {each["name"] for each in results if each["kind"] == "Vendor"} == {"Café Nord", "Nordlicht"}

    async def test_names_are_escaped(self, browse: Browse, store: Store, account: Account) -> None:
        await complete_invoice(store, account.id, EVIL)
        await newest_events(store, account.id)
        (vendor,) = await store.vendors.by_spend(account.id, 10)
        for path in ("", f"/{vendor.id}"):
            page = (await browse().get(f"/app/vendors{path}")).text
            assert "&lt;script&gt;" in page
            assert "<script>x" not in page

    async def test_another_accounts_vendor_is_not_there(self, browse: Browse, store: Store, other: Account) -> None:
        await complete_invoice(store, other.id)
        await newest_events(store, other.id)
        (vendor,) = await store.vendors.by_spend(other.id, 10)
        for id in (vendor.id, UNKNOWN_ID, "x"):
            assert (await browse().get(f"/app/vendors/{id}")).status_code == 404
        assert "No vendors yet" in (await browse().get("/app/vendors")).text


class TestApprovals:
    @pytest.fixture
    def mailer(self, monkeypatch: pytest.MonkeyPatch) -> FakeMailer:
        mailer = FakeMailer()
        monkeypatch.setattr("serve_app.wiring.services.open_mailer", lambda _: mailer)
        return mailer

    @pytest.fixture
    async def asked(self, mailer: FakeMailer, store: Store, account: Account) -> Invoice:
        invoice = await complete_invoice(store, account.id, EVIL)
        found = await store.invoices.request_approval(account.id, invoice.id, "boss@example.com", "hash", NOON)
        assert found is not None
        return found

    async def test_open_and_answered_requests_are_listed(
        self, asked: Invoice, browse: Browse, store: Store, account: Account
    ) -> None:
        page = (await browse(Role.VIEWER).get("/app/approvals")).text
        for text in ("boss@example.com", "17 May 2026", "&lt;script&gt;"):
            assert text in page
        assert "<script>x" not in page
        assert "Remind" not in page
        assert "Remind" in (await browse(Role.REVIEWER).get("/app/approvals")).text
        await store.invoices.answer_approval(account.id, asked.id, "hash", False, NOON)
        assert "No open requests" in (await browse().get("/app/approvals")).text
        assert "boss@example.com" in (await browse().get("/app/approvals?state=rejected")).text

    async def test_a_reminder_is_a_new_mail_whose_link_replaces_the_old_one(
        self, asked: Invoice, browse: Browse, store: Store, account: Account, mailer: FakeMailer
    ) -> None:
        answer = await browse(Role.REVIEWER).post(f"/app/approvals/{asked.id}/remind")
        assert answer.status_code == 303
        (mail,) = mailer.messages
        assert mail["To"] == "boss@example.com"
        assert await store.invoices.find_approval(account.id, asked.id, "hash") is None
        mailer.refuses = True
        answer = await browse(Role.REVIEWER).post(f"/app/approvals/{asked.id}/remind")
        assert "was%20not%20sent" in answer.headers["set-cookie"]

    async def test_a_withdrawn_request_is_void_and_cannot_be_reminded_of(
        self, asked: Invoice, browse: Browse, store: Store, account: Account, mailer: FakeMailer
    ) -> None:
        browser = browse(Role.REVIEWER)
        assert "boss@example.com" in (await browser.get(f"/app/approvals/{asked.id}/withdraw")).text
        await browser.post(f"/app/approvals/{asked.id}/withdraw")
        assert await store.invoices.find_approval(account.id, asked.id, "hash") is None
        for act in ("withdraw", "remind"):
            assert (await browser.post(f"/app/approvals/{asked.id}/{act}")).status_code == 303
        assert mailer.messages == []
        actions = [entry.action for entry in (await store.audit.page(account.id, 10)).items]
        assert actions == ["approval.withdrawn"]

    async def test_viewers_and_other_accounts_change_nothing(
        self, asked: Invoice, browse: Browse, store: Store, account: Account, other: Account, mailer: FakeMailer
    ) -> None:
        theirs = await complete_invoice(store, other.id)
        await store.invoices.request_approval(other.id, theirs.id, "boss@example.com", "hash", NOON)
        for act in ("remind", "withdraw"):
            assert (await browse(Role.VIEWER).post(f"/app/approvals/{asked.id}/{act}")).status_code == 403
            for id in (theirs.id, UNKNOWN_ID, "x"):
                assert (await browse().post(f"/app/approvals/{id}/{act}")).status_code == 404
        assert await store.invoices.find_approval(other.id, theirs.id, "hash") is not None
        assert mailer.messages == []
