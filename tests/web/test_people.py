"""Owners decide who belongs to the account; nobody else does, and nobody reaches another account's people."""

import re
from collections.abc import Awaitable, Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import httpx
import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person, Role
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.mails import text_of
from tests.support.people import add_member
from tests.web.conftest import NewBrowser, SignedIn
from tests.web.people import enter

Post = Callable[[httpx.AsyncClient, Person], Awaitable[httpx.Response]]


@pytest.fixture
async def bob(store: Store, account: Account) -> Person:
    """A viewer of the account, which has an owner."""
    await add_member(store, account, "ann@example.com", Role.OWNER)
    return await add_member(store, account, "bob@example.com", Role.VIEWER)


@pytest.fixture
async def other(store: Store) -> Account:
    """An account of others."""
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await add_member(store, other, "eve@example.com", Role.OWNER)
    return other


async def invite(browser: httpx.AsyncClient, _: Person) -> httpx.Response:
    return await browser.post("/app/people/invite", data={"address": "carl@example.com", "role": "owner"})


async def promote(browser: httpx.AsyncClient, person: Person) -> httpx.Response:
    return await browser.post(f"/app/people/{person.id}/role", data={"role": "owner"})


async def remove(browser: httpx.AsyncClient, person: Person) -> httpx.Response:
    return await browser.post(f"/app/people/{person.id}/remove")


async def roles(services: Services, account: Account) -> dict[str, Role]:
    return {member.person.email: member.role for member in await services.people.members.of_account(account.id)}


async def test_an_owner_invites_changes_and_removes(
    signed_in: SignedIn, services: Services, account: Account, bob: Person, settings: Settings
) -> None:
    browser = await signed_in()
    answer = await browser.post(
        "/app/people/invite", data={"address": " carl@example.com ", "role": "reviewer"}, follow_redirects=True
    )
    assert "carl@example.com was invited, but no e-mail was sent" in answer.text
    assert len(list(Path(settings.mail_folder).glob("*.eml"))) == 1  # noqa: ASYNC240 - a few files
    page = await browser.get(f"/app/people/{bob.id}")
    assert "bob@example.com" in page.text
    answer = await browser.post(f"/app/people/{bob.id}/role", data={"role": "reviewer"}, follow_redirects=True)
    assert "Bob is now reviewer." in answer.text
    assert await roles(services, account) == {
        "ann@example.com": Role.OWNER,
        "bob@example.com": Role.REVIEWER,
        "carl@example.com": Role.REVIEWER,
    }
    answer = await browser.post(f"/app/people/{bob.id}/remove", follow_redirects=True)
    assert "Bob was removed" in answer.text
    assert "bob@example.com" not in await roles(services, account)
    trail = (await browser.get("/app/audit")).text
    for words in (
        "person invited",
        "person role changed",
        "was: viewer, role: reviewer",
        "person removed",
        "signed in",
    ):
        assert words in trail
    assert "ann@example.com" in trail


@pytest.mark.parametrize("act", [invite, promote, remove])
@pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
async def test_nobody_but_an_owner_changes_people(
    signed_in: SignedIn, services: Services, account: Account, bob: Person, act: Post, role: Role
) -> None:
    before = await roles(services, account)
    browser = await signed_in(role, "mallory@example.com")
    assert (await act(browser, bob)).status_code == 403
    for path in ("/app/people", "/app/people/invite", f"/app/people/{bob.id}", "/app/audit"):
        assert (await browser.get(path)).status_code == 403, path
    assert await roles(services, account) == before | {"mallory@example.com": role}


async def test_an_owner_reaches_no_people_of_another_account(
    signed_in: SignedIn, services: Services, account: Account, bob: Person, other: Account
) -> None:
    browser = await signed_in(email="eve@example.com", owner=other)
    for answer in (
        await browser.get(f"/app/people/{bob.id}"),
        await promote(browser, bob),
        await remove(browser, bob),
        await browser.post("/app/devices/account", data={"account": str(account.id)}),
    ):
        assert answer.status_code == 404
    assert "bob@example.com" not in (await browser.get("/app/people")).text
    assert (await roles(services, account))["bob@example.com"] is Role.VIEWER


async def test_an_owner_of_one_account_is_none_in_another(
    signed_in: SignedIn, store: Store, account: Account, bob: Person, other: Account
) -> None:
    """Being an owner elsewhere is no right here, whichever account was looked at last."""
    browser = await signed_in(email="eve@example.com", owner=other)
    await add_member(store, account, "eve@example.com", Role.VIEWER)
    assert (await browser.get("/app/people")).status_code == 200
    switched = await browser.post("/app/devices/account", data={"account": str(account.id)})
    assert switched.headers["location"] == "/app/"
    assert (await browser.get("/app/people")).status_code == 403
    assert (await promote(browser, bob)).status_code == 403


async def test_an_invitation_gives_the_inviter_no_way_in_as_the_invited(
    signed_in: SignedIn, services: Services, bob: Person, other: Account, settings: Settings
) -> None:
    """Eve invites somebody of another account: neither the page nor the mail has anything that signs in."""
    browser = await signed_in(email="eve@example.com", owner=other)
    answer = await browser.post(
        "/app/people/invite", data={"address": bob.email, "role": "viewer"}, follow_redirects=True
    )
    (mail,) = Path(settings.mail_folder).glob("*.eml")  # noqa: ASYNC240 - one file
    for text in (answer.text, mail.read_text()):
        assert "/app/enter" not in text


async def test_the_last_owner_stays(signed_in: SignedIn, services: Services, account: Account, bob: Person) -> None:
    browser = await signed_in()
    (ann,) = [m.person for m in await services.people.members.of_account(account.id) if m.role is Role.OWNER]
    for answer in (
        await remove(browser, ann),
        await browser.post(f"/app/people/{ann.id}/role", data={"role": "viewer"}),
    ):
        assert answer.status_code == 409
        assert "needs at least one owner" in answer.text
    assert (await roles(services, account))["ann@example.com"] is Role.OWNER


async def test_an_invitation_keeps_what_was_typed_over_signing_in(
    signed_in: SignedIn, clock: Clock, services: Services, account: Account
) -> None:
    browser = await signed_in()
    clock.advance(11 * 60)
    data = {"address": "carl+1@example.com", "role": "viewer"}
    for answer in (
        await browser.post("/app/people/invite", data=data),
        await browser.get("/app/people/invite", params=data),
    ):
        location = httpx.URL(answer.headers["location"])
        assert (location.path, location.params["again"]) == ("/app/sign-in", "1")
        back = location.params["next"]
        assert f'name="next" value="{back}"' in unescape((await browser.get(str(location))).text)
    assert "carl+1@example.com" not in await roles(services, account)
    person = (await services.people.members.of_account(account.id))[0].person
    await enter(browser, await services.people.links.make(person.id, "https://service"))
    form = (await browser.get(back)).text
    assert 'value="carl+1@example.com"' in form
    assert re.search(r'value="viewer"[^>]* checked', form)
    strange = await browser.get("/app/people/invite?role=god&address=" + "x" * 999)
    assert strange.status_code == 200


async def test_the_link_of_an_invitation_fills_in_the_address(
    signed_in: SignedIn, new: NewBrowser, settings: Settings
) -> None:
    await (await signed_in()).post("/app/people/invite", data={"address": "carl+1@example.com", "role": "viewer"})
    (file,) = Path(settings.mail_folder).glob("*.eml")  # noqa: ASYNC240 - a few files
    message = message_from_bytes(file.read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    (link,) = re.findall(r"^https://\S+$", text_of(message), re.MULTILINE)
    assert 'value="carl+1@example.com"' in (await new().get(link)).text
    for wrong in ("no address", "<b>"):
        assert (
            'name="address" type="email" autocomplete="email" required maxlength="254" value=""'
            in (await new().get("/app/sign-in", params={"address": wrong})).text
        )


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"address": "nobody", "role": "viewer"}, 422),
        ({"address": "bob@example.com", "role": "viewer"}, 422),
        ({"address": "carl@example.com", "role": "operator"}, 400),
        ({"address": "carl@example.com"}, 400),
    ],
)
async def test_a_wrong_invitation_is_reported(
    signed_in: SignedIn, services: Services, account: Account, bob: Person, data: dict[str, str], status: int
) -> None:
    browser = await signed_in()
    assert (await browser.post("/app/people/invite", data=data)).status_code == status
    assert len(await roles(services, account)) == 2


async def test_names_and_addresses_are_shown_as_text(
    signed_in: SignedIn, services: Services, store: Store, account: Account
) -> None:
    browser = await signed_in()
    ann = await store.people.find("ann@example.com")
    assert ann is not None
    assert (await browser.post("/app/devices/name", data={"name": "n" * 101})).status_code == 400
    await browser.post("/app/devices/name", data={"name": " Ann\tB. "})
    assert "Ann B." in (await browser.get("/app/people")).text
    await store.people.update(ann.id, "<script>alert(1)</script>", is_operator=False)
    for path in ("/app/people", f"/app/people/{ann.id}", "/app/devices", "/app/"):
        text = (await browser.get(path)).text
        assert "<script>alert" not in text, path
        assert "&lt;script&gt;" in text, path


async def test_people_of_a_suspended_account_see_why_they_see_nothing(
    signed_in: SignedIn, services: Services, account: Account
) -> None:
    browser = await signed_in(Role.OWNER)
    await services.accounts.suspend(account.id)
    for path in ("/app/", "/app/invoices", "/app/people"):
        answer = await browser.get(path)
        assert answer.status_code == 403
        assert "This account is suspended." in answer.text
    await services.accounts.resume(account.id)
    assert (await browser.get("/app/invoices")).status_code == 200
