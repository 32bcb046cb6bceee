"""Naming vendors, merging them, and splitting them again."""

import re
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.person import Role
from serve_app.store.base import Store
from tests.support import newest_events
from tests.support.mails import READ, complete_invoice
from tests.web.conftest import Browse


@pytest.fixture
async def vendors(store: Store, account: Account) -> dict[str, UUID]:
    """ACME GmbH with two invoices, Bolt and Cord <b> with one each."""
    for name in ("ACME GmbH", "ACME GmbH", "Bolt", "Cord <b>"):
        await complete_invoice(store, account.id, READ.model_copy(update={"vendor_name": name}))
    await newest_events(store, account.id)
    return {vendor.name: vendor.id for vendor in await store.vendors.by_spend(account.id, 9)}


async def actions(store: Store, account: Account) -> list[tuple[str, str]]:
    return [(entry.action, entry.target) for entry in (await store.audit.page(account.id, 9)).items]


async def test_selected_vendors_are_merged_into_the_one_that_is_chosen(
    browse: Browse, store: Store, account: Account, vendors: dict[str, UUID]
) -> None:
    browser, (acme, bolt) = browse(Role.REVIEWER), (vendors["ACME GmbH"], vendors["Bolt"])
    assert f'name="id" value="{bolt}"' in (await browser.get("/app/vendors")).text
    choice = (await browser.get(f"/app/vendors/merge?id={bolt}&id={acme}")).text
    # The one with the most invoices is proposed.
    assert re.findall(r'name="kept" value="([^"]+)" checked', choice) == [str(acme)]
    form = {"id": [str(bolt), str(acme)], "kept": str(acme)}
    answer = await browser.post("/app/vendors/merge", data=form)
    assert answer.headers["location"] == f"/app/vendors/{acme}"
    page = (await browser.get(f"/app/vendors/{acme}")).text
    assert "1 vendor merged into this one." in page
    assert f'action="/app/vendors/{bolt}/split"' in page
    assert "3 invoices" in page
    # An old address leads to the kept one; the lists of both are one.
    assert (await browser.get(f"/app/vendors/{bolt}")).headers["location"] == f"/app/vendors/{acme}"
    listed = (await browser.get(f"/app/invoices?vendor_id={acme}")).text
    assert listed.count('class="title"') == 3
    assert await actions(store, account) == [("vendor.merged", str(bolt))]


async def test_a_merged_vendor_is_split_off_again(
    browse: Browse, store: Store, account: Account, vendors: dict[str, UUID]
) -> None:
    browser, (acme, bolt) = browse(Role.REVIEWER), (vendors["ACME GmbH"], vendors["Bolt"])
    await browser.post("/app/vendors/merge", data={"id": str(bolt), "kept": str(acme)})
    answer = await browser.post(f"/app/vendors/{bolt}/split", follow_redirects=True)
    assert "This vendor is separate again" in answer.text
    found = {vendor.name: vendor.invoice_count for vendor in await store.vendors.by_spend(account.id, 9)}
    assert found == {"ACME GmbH": 2, "Bolt": 1, "Cord <b>": 1}
    assert (await browser.post(f"/app/vendors/{bolt}/split")).status_code == 404
    assert [action for action, _ in await actions(store, account)] == ["vendor.split", "vendor.merged"]


async def test_a_vendor_is_renamed_and_takes_its_printed_name_back(
    browse: Browse, store: Store, account: Account, vendors: dict[str, UUID]
) -> None:
    browser, path = browse(Role.REVIEWER), f"/app/vendors/{vendors['Cord <b>']}"
    page = (await browser.post(f"{path}/rename", data={"name": " Cord \n& Sons "}, follow_redirects=True)).text
    assert "<h1>Cord &amp; Sons</h1>" in page
    assert "“Cord &lt;b&gt;”" in page
    assert "Cord &amp; Sons" in (await browser.get("/app/vendors?name=sons")).text
    too_long = await browser.post(f"{path}/rename", data={"name": "x" * 256}, follow_redirects=True)
    assert "A name has at most 255 characters." in too_long.text
    page = (await browser.post(f"{path}/rename", data={"name": " "}, follow_redirects=True)).text
    assert "<h1>Cord &lt;b&gt;</h1>" in page


async def test_one_vendor_or_a_strange_one_is_not_merged(browse: Browse, vendors: dict[str, UUID]) -> None:
    browser, acme = browse(Role.REVIEWER), vendors["ACME GmbH"]
    for query in ("", f"id={acme}", f"id={acme}&id={acme}", "id=x&id=y"):
        answer = await browser.get(f"/app/vendors/merge?{query}", follow_redirects=True)
        assert "Select two vendors or more" in answer.text
    assert (await browser.get(f"/app/vendors/merge?id={acme}&id={new_id()}")).status_code == 404
    answer = await browser.post(
        "/app/vendors/merge", data={"kept": str(acme), "id": str(new_id())}, follow_redirects=True
    )
    assert "These vendors cannot be merged." in answer.text
    assert (await browser.post("/app/vendors/merge", data={"id": str(acme)})).status_code == 404


async def test_a_viewer_sees_what_was_merged_and_changes_nothing(browse: Browse, vendors: dict[str, UUID]) -> None:
    acme, bolt = vendors["ACME GmbH"], vendors["Bolt"]
    await browse(Role.OWNER).post("/app/vendors/merge", data={"id": str(bolt), "kept": str(acme)})
    viewer = browse(Role.VIEWER)
    page = (await viewer.get(f"/app/vendors/{acme}")).text
    assert "was merged into this vendor" in page
    assert "/split" not in page
    assert "/rename" not in page
    assert 'type="checkbox"' not in (await viewer.get("/app/vendors")).text
    for path, form in (
        ("merge", {"id": str(bolt), "kept": str(acme)}),
        (f"{acme}/rename", {"name": "x"}),
        (f"{bolt}/split", {}),
    ):
        assert (await viewer.post(f"/app/vendors/{path}", data=form)).status_code == 403


async def test_invoices_keep_the_name_that_they_print(
    browse: Browse, store: Store, account: Account, vendors: dict[str, UUID]
) -> None:
    acme, bolt = vendors["ACME GmbH"], vendors["Bolt"]
    await browse().post("/app/vendors/merge", data={"id": str(bolt), "kept": str(acme)})
    invoice: Invoice = await complete_invoice(store, account.id, READ.model_copy(update={"vendor_name": "Bolt"}))
    assert (invoice.vendor_name, invoice.vendor_id) == ("Bolt", acme)
