"""People sign in by links and codes, in the browser that asked, and nobody else does."""

import asyncio
import logging
import os
from pathlib import Path
from urllib.parse import quote

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person, Role
from serve_app.domain.session import IDLE_LIFE
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.web.cookies import SESSION, SIGN_IN_REQUEST
from tests.support import Clock
from tests.support.people import add_member
from tests.web.conftest import NewBrowser, SignedIn
from tests.web.people import enter, give, newest_mail, session_of

BASE = "https://service"


@pytest.fixture
def mail(settings: Settings) -> Path:
    return Path(settings.mail_folder)


@pytest.fixture
async def ann(store: Store, account: Account) -> Person:
    return await add_member(store, account)


async def test_a_link_signs_in_once(new: NewBrowser, services: Services, ann: Person, account: Account) -> None:
    link = await services.people.links.make(ann.id, BASE)
    browser = new()
    answer = await enter(browser, link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/app/signed-in?next=%2Fapp%2F")
    cookie = answer.headers["set-cookie"]
    for part in (f"{SESSION}=", "HttpOnly", "Path=/", "SameSite=lax", "Secure", "Max-Age=7776000"):
        assert part in cookie
    assert "Domain" not in cookie
    assert (await browser.get("/app/signed-in?next=/app/")).headers["location"] == "/app/"
    assert "ann@example.com" in (await browser.get("/app/devices")).text
    again = await enter(new(), link)
    assert again.status_code == 403
    assert "The link was already used" in again.text
    (entry,) = (await services.people.audit.page(account.id, 10)).items
    assert (entry.actor.name, entry.action, entry.details) == (ann.email, "person.signed_in", {"by": "link"})


async def test_opening_a_link_does_not_use_it(new: NewBrowser, services: Services, ann: Person) -> None:
    link = await services.people.links.make(ann.id, BASE)
    for _ in range(3):
        page = await new().get("/app/enter")
        assert '<script type="module" src="/app/static/' in page.text
        assert "This link needs JavaScript" in page.text
    assert (await enter(new(), link)).status_code == 303


async def test_a_browser_that_drops_the_cookie_learns_why(new: NewBrowser, services: Services, ann: Person) -> None:
    browser = new()
    await enter(browser, await services.people.links.make(ann.id, BASE))
    browser.cookies.clear()
    answer = await browser.get("/app/signed-in?next=/app/keys")
    assert answer.status_code == 403
    assert "did not store the cookie" in answer.text


@pytest.mark.parametrize("by", ["link", "code"])
async def test_a_mail_signs_in_the_browser_that_asked(
    new: NewBrowser, ann: Person, mail: Path, by: str, services: Services
) -> None:
    browser = new()
    page = await browser.get("/app/sign-in?next=/app/devices")
    assert 'name="next" value="/app/devices"' in page.text
    asked = await browser.post("/app/sign-in", data={"address": " ANN@example.com ", "next": "/app/devices"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/app/sign-in/code")
    assert "enter the code" not in (await browser.get("/app/sign-in/code")).text
    await services.people.sign_in.finish()
    recipient, link, code = newest_mail(mail)
    assert recipient == ann.email
    assert link.startswith(f"{BASE}/app/enter#")
    if by == "link":
        answer = await enter(browser, link)
    else:
        answer = await browser.post("/app/sign-in/code", data={"code": f"{code[:3]} {code[3:]}"})
    assert answer.headers["location"] == "/app/signed-in?next=%2Fapp%2Fdevices"
    assert session_of(browser) is not None
    assert browser.cookies.get(SIGN_IN_REQUEST) is None


async def test_a_scanner_that_opens_the_link_first_and_presses_its_button_spoils_nothing(
    new: NewBrowser, ann: Person, mail: Path, services: Services
) -> None:
    browser, scanner = new(), new(peer="203.0.113.9")
    await browser.post("/app/sign-in", data={"address": ann.email})
    await services.people.sign_in.finish()
    _, link, _ = newest_mail(mail)
    answer = await enter(scanner, link)
    assert answer.status_code == 403
    assert "enter the code" in answer.text
    assert session_of(scanner) is None
    assert (await enter(browser, link)).status_code == 303


async def test_a_wrong_code_is_reported_and_five_are_too_many(
    new: NewBrowser, ann: Person, mail: Path, services: Services
) -> None:
    browser = new()
    await browser.post("/app/sign-in", data={"address": ann.email})
    await services.people.sign_in.finish()
    _, _, code = newest_mail(mail)
    for _ in range(5):
        answer = await browser.post("/app/sign-in/code", data={"code": "000000" if code != "000000" else "1"})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
    assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code == 422
    assert session_of(browser) is None


async def test_nobody_learns_who_has_an_address(new: NewBrowser, ann: Person, mail: Path, services: Services) -> None:
    answers = []
    for address in (ann.email, "nobody@example.com"):
        browser = new()
        asked = await browser.post("/app/sign-in", data={"address": address})
        code = await browser.get("/app/sign-in/code")
        wrong = await browser.post("/app/sign-in/code", data={"code": "000000"})
        answers.append(
            (asked.status_code, asked.headers["location"], asked.text, code.text, wrong.status_code, wrong.text)
        )
    assert answers[0] == answers[1]
    await services.people.sign_in.finish()
    (_,) = await asyncio.to_thread(os.listdir, mail)


async def test_what_is_no_address_is_reported_at_once(new: NewBrowser) -> None:
    answer = await new().post("/app/sign-in", data={"address": "<b>ann"})
    assert answer.status_code == 422
    assert "This is not an e-mail address" in answer.text
    assert "&lt;b&gt;ann" in answer.text


@pytest.mark.parametrize(
    "wanted",
    [
        *("https://evil.example/", "//evil.example/app/", "/\\evil.example", "/app/../../evil", "/app/%2e%2e/v1/me"),
        *(
            "javascript:alert(1)",
            "/v1/me",
            "/application",
            "/app/sign-in",
            "/app/enter",
            "app/",
            "/app/\t/evil",
            "",
            " ",
        ),
        *("https:/app/", "/app/\\..\\x", "http://service@evil.example/app/", "/app/é"),
    ],
)
async def test_signing_in_leads_to_pages_of_the_application_only(
    signed_in: SignedIn, new: NewBrowser, services: Services, ann: Person, wanted: str
) -> None:
    browser = await signed_in()
    for address in ("/app/signed-in", "/app/sign-in"):
        assert (await browser.get(address, params={"next": wanted})).headers["location"] == "/app/"
    outsider = new()
    assert 'name="next" value="/app/"' in (await outsider.get("/app/sign-in", params={"next": wanted})).text
    give(outsider, SIGN_IN_REQUEST, f"secret.{quote(wanted, safe='')}")
    answer = await enter(outsider, await services.people.links.make(ann.id, BASE))
    assert answer.headers["location"] == "/app/signed-in?next=%2Fapp%2F"


async def test_signing_in_ends_the_session_before(
    signed_in: SignedIn, new: NewBrowser, services: Services, ann: Person
) -> None:
    """A session that somebody planted, or saw, is worth nothing after a sign-in (fixation)."""
    browser = await signed_in()
    planted = session_of(browser)
    assert planted is not None
    answer = await enter(browser, await services.people.links.make(ann.id, BASE))
    assert answer.status_code == 303
    assert session_of(browser) != planted
    other = new()
    give(other, SESSION, planted)
    assert (await other.get("/app/devices")).headers["location"].startswith("/app/sign-in")
    invented = new()
    give(invented, SESSION, "chosen-by-somebody-else")
    await enter(invented, await services.people.links.make(ann.id, BASE))
    assert session_of(invented) != "chosen-by-somebody-else"


async def test_signing_out_ends_the_session(signed_in: SignedIn, new: NewBrowser) -> None:
    browser = await signed_in()
    secret = session_of(browser)
    assert secret is not None
    answer = await browser.post("/app/sign-out")
    assert answer.headers["location"] == "/app/sign-in"
    assert session_of(browser) is None
    other = new()
    give(other, SESSION, secret)
    assert (await other.get("/app/devices")).status_code == 303
    assert (await other.post("/app/sign-out")).status_code == 303


async def test_a_session_that_is_not_used_for_two_weeks_ends(signed_in: SignedIn, clock: Clock) -> None:
    browser = await signed_in()
    assert (await browser.get("/app/devices")).status_code == 200
    clock.advance(IDLE_LIFE.total_seconds())
    answer = await browser.get("/app/devices")
    assert answer.headers["location"] == "/app/sign-in?next=%2Fapp%2Fdevices"


@pytest.mark.parametrize("path", ["/app/sign-in", "/app/enter"])
async def test_over_plain_http_at_another_address_the_page_says_why_it_cannot_work(
    new: NewBrowser, services: Services, ann: Person, path: str
) -> None:
    link = await services.people.links.make(ann.id, BASE)
    browser = new("http://192.0.2.1:8000")
    # What browsers leave out where they drop the cookie as well.
    del browser.headers["Sec-Fetch-Site"]
    browser.headers["Origin"] = "http://192.0.2.1:8000"
    page = await browser.get(path)
    assert page.status_code == 403
    assert "COOKIES_OVER_HTTP" in page.text
    assert "http://192.0.2.1:8000" in page.text
    assert "<form" not in page.text
    refused = await browser.post("/app/enter", data={"token": link.partition("#")[2]})
    assert "COOKIES_OVER_HTTP" in refused.text
    assert (await enter(new(), link)).status_code == 303


@pytest.mark.parametrize("base", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
async def test_on_the_machine_itself_plain_http_works(new: NewBrowser, base: str) -> None:
    browser = new(base)
    del browser.headers["Sec-Fetch-Site"]
    assert (await browser.get("/app/sign-in")).status_code == 200


class TestCookiesOverHttp:
    """What the operator asked for with COOKIES_OVER_HTTP."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"cookies_over_http": True})

    async def test_people_can_sign_in(self, new: NewBrowser, services: Services, ann: Person) -> None:
        browser = new("http://192.0.2.1:8000")
        del browser.headers["Sec-Fetch-Site"]
        browser.headers["Origin"] = "http://192.0.2.1:8000"
        answer = await enter(browser, await services.people.links.make(ann.id, BASE))
        assert answer.status_code == 303
        assert answer.headers["set-cookie"].startswith("invoices=")
        assert "secure" not in answer.headers["set-cookie"].lower()
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert (await browser.get("/app/devices")).status_code == 200
        signed_out = await browser.post("/app/sign-out", follow_redirects=True)
        assert "You are signed out." in signed_out.text
        assert (await browser.get("/app/devices")).status_code == 303

    async def test_over_https_cookies_stay_strict(self, signed_in: SignedIn) -> None:
        assert session_of(await signed_in()) is not None


async def test_what_changes_people_asks_who_is_there(signed_in: SignedIn, clock: Clock) -> None:
    browser = await signed_in()
    assert (await browser.get("/app/people/invite")).status_code == 200
    clock.advance(600)
    answer = await browser.get("/app/people/invite")
    assert answer.headers["location"] == "/app/sign-in?next=%2Fapp%2Fpeople%2Finvite&again=1"
    page = (await browser.get(answer.headers["location"])).text
    assert "Sign in again" in page
    assert 'value="ann@example.com"' in page
    sent = await browser.post(
        "/app/people/invite",
        data={"address": "bob@example.com", "role": "viewer"},
        headers={"Referer": "https://service/app/people/invite"},
    )
    form = "%2Fapp%2Fpeople%2Finvite%3Faddress%3Dbob%2540example.com%26role%3Dviewer"
    assert sent.headers["location"] == f"/app/sign-in?next={form}&again=1"
    assert "bob@example.com" not in (await browser.get("/app/people")).text


@pytest.mark.parametrize("referer", ["https://evil.example/app/people", "https://service/v1/me", "nonsense"])
async def test_a_foreign_page_is_not_led_back_to(signed_in: SignedIn, clock: Clock, referer: str) -> None:
    browser = await signed_in()
    clock.advance(600)
    answer = await browser.post(f"/app/people/{new_id()}/remove", headers={"Referer": referer})
    assert answer.headers["location"] == "/app/sign-in?again=1"


async def test_no_secret_reaches_the_log(
    new: NewBrowser, ann: Person, mail: Path, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "serve_app")
    browser = new()
    await browser.post("/app/sign-in", data={"address": ann.email})
    await services.people.sign_in.finish()
    _, link, code = newest_mail(mail)
    asked = str(browser.cookies.get(SIGN_IN_REQUEST)).partition(".")[0]
    await enter(browser, link)
    said = str([record.__dict__ for record in caplog.records])
    assert "answered" in said
    for hidden in (ann.email, link.partition("#")[2], code, asked, session_of(browser)):
        assert hidden
        assert hidden not in said


async def test_a_role_is_asked_for_at_every_request(
    signed_in: SignedIn, store: Store, account: Account, ann: Person
) -> None:
    browser = await signed_in()
    await add_member(store, account, "bob@example.com", Role.OWNER)
    assert (await browser.get("/app/people")).status_code == 200
    await store.memberships.set_role(account.id, ann.id, Role.VIEWER)
    assert (await browser.get("/app/people")).status_code == 403
    await store.memberships.remove(account.id, ann.id)
    assert (await browser.get("/app/people")).status_code == 303
