"""Deciding on several invoices at once, and making them somebody's work."""

import re
from datetime import timedelta
from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.person import Role
from serve_app.domain.record import Amendment
from serve_app.domain.retention import Retention
from serve_app.domain.work import LEASE, Reader
from serve_app.services.bundle import Services
from serve_app.store.base import Store
from tests.support import NOON, claim_next, queue_new
from tests.support.mails import READ, complete_invoice
from tests.support.people import add_member
from tests.web.conftest import Browse

BEA = Reader(new_id(), "Bea", "window 1")
Status = ReviewStatus


@pytest.fixture
async def invoices(store: Store, account: Account) -> list[Invoice]:
    return [
        await complete_invoice(store, account.id, READ.model_copy(update={"invoice_number": f"R-{n}"}))
        for n in range(3)
    ]


async def act(browser: httpx.AsyncClient, name: str, invoices: list[Invoice], value: str = "") -> httpx.Response:
    ids = [str(invoice.id) for invoice in invoices]
    return await browser.post("/app/invoices/act", data={"act": name, name: value, "id": ids}, follow_redirects=True)


async def states(store: Store, account: Account, invoices: list[Invoice]) -> list[Status]:
    found = [await store.invoices.get(account.id, invoice.id) for invoice in invoices]
    return [invoice.review.status for invoice in found if invoice is not None]


async def test_selected_invoices_are_confirmed_by_who_pressed_the_button(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    answer = await act(browse(Role.REVIEWER), "confirm", invoices[:2])
    assert "2 invoices confirmed." in answer.text
    assert await states(store, account, invoices) == [Status.CONFIRMED, Status.CONFIRMED, Status.OPEN]
    found = await store.invoices.get(account.id, invoices[0].id)
    assert found is not None
    assert found.review.by == "ada@example.com"
    assert [entry.action for entry in (await store.audit.page(account.id, 9)).items] == ["invoice.confirmed"] * 2


async def test_a_rejection_of_many_needs_one_reason_for_all(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    assert "Enter the reason" in (await act(browse(), "reject", invoices, "  ")).text
    assert await states(store, account, invoices) == [Status.OPEN] * 3
    assert "A reason has at most" in (await act(browse(), "reject", invoices, "x" * 501)).text
    assert "3 invoices rejected." in (await act(browse(), "reject", invoices, "ordered by\nnobody")).text
    found = await store.invoices.get(account.id, invoices[2].id)
    assert found is not None
    assert found.review.reason == "ordered by nobody"


@pytest.mark.parametrize("name", ["confirm", "reject"])
async def test_decisions_on_many_are_undone_together(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice], name: str
) -> None:
    browser = browse()
    page = await act(browser, name, invoices, "not ours")
    (undo,) = re.findall(r'name="take_back" value="([^"]+)"', page.text)
    answer = await browser.post(
        "/app/invoices/act", data={"act": "take_back", "take_back": undo}, follow_redirects=True
    )
    assert "3 invoices open again." in answer.text
    assert await states(store, account, invoices) == [Status.OPEN] * 3


async def test_undoing_leaves_alone_what_was_changed_since(
    browse: Browse, services: Services, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    browser = browse()
    page = await act(browser, "confirm", invoices)
    (undo,) = re.findall(r'name="take_back" value="([^"]+)"', page.text)
    revision = (await services.reviews.get(account.id, invoices[1].id)).revision
    entry = (await store.audit.page(account.id, 1)).items[0]
    await services.reviews.reject(account.id, invoices[1].id, revision, "not ours", entry.actor)
    answer = await browser.post("/app/invoices/act", data={"act": "take_back", "take_back": undo})
    assert "2 invoices open again." in answer.text
    assert "1 not changed: Somebody changed the review" in answer.text
    assert await states(store, account, invoices) == [Status.OPEN, Status.REJECTED, Status.OPEN]


@pytest.mark.parametrize("undo", ["", "x", "x:1", f"{UUID(int=0)}:1", f"{UUID(int=0)}:{'9' * 5000}", "::: :"])
async def test_undoing_nonsense_changes_nothing(browse: Browse, invoices: list[Invoice], undo: str) -> None:
    for name in ("take_back", "assign_back"):
        answer = await browse().post("/app/invoices/act", data={"act": name, name: undo}, follow_redirects=True)
        assert answer.status_code == 200


async def test_what_another_person_has_open_is_left_alone_and_named(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    await store.work.take(account.id, invoices[1].id, BEA, LEASE)
    for name in ("confirm", "reject", "assign"):
        answer = await act(browse(), name, invoices[1:2], "not ours" if name == "reject" else "")
        assert "1 not changed: Bea has the review open. Try again later." in answer.text
        assert "R-1" in answer.text
    assert await states(store, account, invoices) == [Status.OPEN] * 3


async def test_a_lease_that_has_ended_stops_nobody(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    await store.work.take(account.id, invoices[0].id, BEA, timedelta(microseconds=-1))
    assert "1 invoice confirmed." in (await act(browse(), "confirm", invoices[:1])).text


async def test_what_is_decided_already_and_what_is_not_read_yet_is_left_alone(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    waiting = (await queue_new(store, account.id)).invoice
    await act(browse(), "reject", invoices[:1], "not ours")
    text = (await act(browse(), "confirm", [*invoices, waiting])).text
    assert "2 invoices confirmed." in text
    assert "1 not changed: The invoice is already rejected." in text
    assert "1 not changed: Only a complete invoice" in text


async def test_invoices_become_somebodys_work(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    bob = await add_member(store, account, "bob@example.com", Role.REVIEWER)
    eve = await add_member(store, account, "eve@example.com", Role.VIEWER)
    assert "2 invoices assigned." in (await act(browse(), "assign", invoices[:2], str(bob.id))).text
    records = [await store.invoices.find_record(account.id, invoice.id) for invoice in invoices]
    assert [record and record.assignee for record in records] == [bob.id, bob.id, None]
    for person in (str(eve.id), str(new_id()), "nonsense"):
        await act(browse(), "assign", invoices[:1], person)
    record = await store.invoices.find_record(account.id, invoices[0].id)
    assert record is not None
    assert record.assignee == bob.id
    assert "1 invoice unassigned." in (await act(browse(), "assign", invoices[:1])).text


async def test_an_assignment_of_many_is_undone_except_of_what_was_assigned_since(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    bob, eve = [await add_member(store, account, f"{name}@example.com", Role.REVIEWER) for name in ("bob", "eve")]
    browser = browse()
    await act(browser, "assign", invoices[:1], str(eve.id))
    page = await act(browser, "assign", invoices, str(bob.id))
    (undo,) = re.findall(r'name="assign_back" value="([^"]+)"', page.text)
    await act(browser, "assign", invoices[2:], str(eve.id))
    answer = await browser.post("/app/invoices/act", data={"act": "assign_back", "assign_back": undo})
    assert "2 invoices assigned back." in answer.text
    assert "1 not changed: Somebody has assigned the invoice to another person." in answer.text
    records = [await store.invoices.find_record(account.id, invoice.id) for invoice in invoices]
    assert [record and record.assignee for record in records] == [eve.id, None, eve.id]


async def test_an_audit_sample_is_never_confirmed_unseen(browse: Browse, store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    read = READ.model_copy(update={"auto_verified": True})
    drawn = await store.queue.save_result(await claim_next(store), read, NOON, drawn=0.5)
    assert drawn is not None
    assert "The invoice belongs to the audit sample" in (await act(browse(), "confirm", [drawn])).text
    assert await states(store, account, [drawn]) == [Status.OPEN]


@pytest.mark.parametrize("name", ["confirm", "reject", "assign", "take_back", "assign_back"])
async def test_a_viewer_decides_nothing(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice], name: str
) -> None:
    assert (await act(browse(Role.VIEWER), name, invoices, "x")).status_code == 403
    assert await states(store, account, invoices) == [Status.OPEN] * 3


async def test_a_deletion_that_the_law_refuses_says_until_when(browse: Browse, store: Store, account: Account) -> None:
    await store.retention.set_rule(account.id, Retention(country="DE"))
    invoice = await complete_invoice(store, account.id)
    await store.invoices.amend(account.id, invoice.id, Amendment(paid=True), NOON)
    answer = await browse(Role.OWNER).post("/app/invoices/act", data={"id": str(invoice.id), "act": "delete"})
    assert answer.status_code == 409
    assert "must be kept until 2036-12-31 (DE: § 147 AO)" in answer.text
