"""People sign in at an identity provider: a real one, in a process of its own."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pydantic import SecretStr

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.person import Person
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.web.signing_in.oidc import REQUEST
from tests.support import Clock
from tests.support.identity import Provider, running_provider
from tests.support.people import add_member
from tests.web.conftest import NewBrowser
from tests.web.people import session_of

BACK = "https://service/app/sign-in/oidc/back"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def clock() -> Clock:
    """The provider's tokens are valid now."""
    return Clock(utc_now())


@pytest.fixture
def settings(settings: Settings, provider: Provider) -> Settings:
    client = provider.register(BACK)
    given = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": client["client_id"],
        "oidc_client_secret": SecretStr(client["client_secret"]),
        "oidc_name": "Example Login",
        "public_url": "https://service",
    }
    return settings.model_copy(update=given)


@pytest.fixture
async def ann(store: Store, account: Account) -> Person:
    return await add_member(store, account)


async def leave(browser: httpx.AsyncClient, query: str = "") -> str:
    """Where the sign-in page sends the browser."""
    answer = await browser.get(f"/app/sign-in/oidc{query}")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def test_an_invited_person_signs_in(
    new: NewBrowser, provider: Provider, ann: Person, services: Services, account: Account
) -> None:
    provider.says("ann", email="Ann@Example.com", email_verified=True)
    browser = new()
    page = await browser.get("/app/sign-in?next=/app/devices")
    assert "Sign in with Example Login" in page.text
    address = await leave(browser, "?next=%2Fapp%2Fdevices")
    asked = parse_qs(urlsplit(address).query)
    assert asked["redirect_uri"] == [BACK]
    assert (asked["code_challenge_method"], asked["scope"]) == (["S256"], ["openid email"])
    answer = await browser.get(provider.asks(address, "ann"))
    assert answer.headers["location"] == "/app/signed-in?next=%2Fapp%2Fdevices"
    assert session_of(browser) is not None
    assert browser.cookies.get(REQUEST) is None
    assert "ann@example.com" in (await browser.get("/app/devices")).text
    (entry,) = (await services.people.audit.page(account.id, 1)).items
    assert (entry.action, entry.details) == ("person.signed_in", {"by": "identity provider"})


@pytest.mark.parametrize(
    ("claims", "text"),
    [
        ({"email": "ann@example.com", "email_verified": False}, "has not verified your e-mail address"),
        ({"email": "ann@example.com"}, "has not verified your e-mail address"),
        ({"email_verified": True}, "has not verified your e-mail address"),
        ({"email": "eve@example.com", "email_verified": True}, "Your e-mail address has no access"),
    ],
)
async def test_nobody_else_does(
    new: NewBrowser, provider: Provider, ann: Person, claims: dict[str, object], text: str
) -> None:
    provider.says("eve", **claims)
    browser = new()
    answer = await browser.get(provider.asks(await leave(browser), "eve"))
    assert answer.status_code == 403
    assert text in answer.text
    assert session_of(browser) is None


async def test_after_the_first_time_the_provider_knows_the_person_by_an_id_not_by_the_address(
    new: NewBrowser, provider: Provider, ann: Person
) -> None:
    async def sign_in(subject: str) -> httpx.AsyncClient:
        browser = new()
        await browser.get(provider.asks(await leave(browser), subject))
        return browser

    provider.says("ann-7", email="ann@example.com", email_verified=True)
    assert session_of(await sign_in("ann-7")) is not None
    # She marries; her old address is given to somebody else.
    provider.says("ann-7", email="ann.married@example.com", email_verified=True)
    provider.says("eve-8", email="ann@example.com", email_verified=True)
    again = await sign_in("ann-7")
    assert "ann@example.com" in (await again.get("/app/devices")).text
    outsider = new()
    refused = await outsider.get(provider.asks(await leave(outsider), "eve-8"))
    assert refused.status_code == 403
    assert "belongs to another user of your identity provider" in refused.text
    assert session_of(outsider) is None


async def test_an_answer_is_worth_nothing_in_another_browser(new: NewBrowser, provider: Provider, ann: Person) -> None:
    """Somebody makes a victim's browser finish the attacker's sign-in, or the other way round."""
    provider.says("ann", email="ann@example.com", email_verified=True)
    mine, other, third = new(), new(), new()
    back = provider.asks(await leave(mine), "ann")
    assert (await other.get(back)).headers["location"] == "/app/sign-in"
    await leave(third)
    assert (await third.get(back)).status_code == 502
    assert [session_of(browser) for browser in (other, third)] == [None, None]
    assert (await mine.get(back)).status_code == 303
    assert (await mine.get(back)).headers["location"] == "/app/sign-in"


async def test_a_code_is_worth_nothing_with_another_verifier(
    new: NewBrowser, provider: Provider, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """A stolen code, brought into a sign-in of the thief's own browser: the provider checks PKCE."""
    provider.says("ann", email="ann@example.com", email_verified=True)
    victim, thief = new(), new()
    stolen = parse_qs(urlsplit(provider.asks(await leave(victim), "ann")).query)["code"][0]
    state = parse_qs(urlsplit(await leave(thief)).query)["state"][0]
    answer = await thief.get("/app/sign-in/oidc/back", params={"code": stolen, "state": state})
    assert answer.status_code == 502
    assert "status 400" in caplog.text
    assert session_of(thief) is None


async def test_who_refuses_at_the_provider_is_not_signed_in(new: NewBrowser, provider: Provider) -> None:
    browser = new()
    state = parse_qs(urlsplit(await leave(browser)).query)["state"][0]
    answer = await browser.get("/app/sign-in/oidc/back", params={"error": "access_denied", "state": state})
    assert answer.status_code == 502
    assert "The identity provider did not answer correctly" in answer.text


async def test_a_changed_cookie_is_refused(new: NewBrowser, provider: Provider, ann: Person) -> None:
    browser = new()
    await leave(browser)
    value = browser.cookies.get(REQUEST)
    assert value is not None
    browser.cookies.clear()
    browser.headers["Cookie"] = f"{REQUEST}={value[:-2]}xx"
    assert (await browser.get("/app/sign-in/oidc/back?code=x&state=y")).headers["location"] == "/app/sign-in"


async def test_signing_in_again_asks_the_provider_to_ask(new: NewBrowser, provider: Provider) -> None:
    browser = new()
    page = await browser.get("/app/sign-in?again=1")
    assert "again=1" in page.text
    asked = parse_qs(urlsplit(await leave(browser, "?again=1")).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["600"])


async def test_leading_back_leads_to_pages_only(new: NewBrowser, provider: Provider, ann: Person) -> None:
    provider.says("ann", email="ann@example.com", email_verified=True)
    browser = new()
    answer = await browser.get(provider.asks(await leave(browser, "?next=https://evil.example/"), "ann"))
    assert answer.headers["location"] == "/app/signed-in?next=%2Fapp%2F"


async def test_failures_from_the_same_network_stop_nobody(
    new: NewBrowser, provider: Provider, settings: Settings, ann: Person
) -> None:
    attacker, browser = new(), new()
    for _ in range(settings.sign_in_attempts_per_peer + 1):
        await attacker.post("/app/enter", data={"token": "guess"})
        await attacker.get("/app/sign-in/oidc/back", params={"code": "guess", "state": "guess"})
    provider.says("ann", email="ann@example.com", email_verified=True)
    answer = await browser.get(provider.asks(await leave(browser), "ann"))
    assert session_of(browser) is not None, answer.text


class TestOutOfReach:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:9"})

    async def test_a_provider_that_is_down_is_reported(self, new: NewBrowser) -> None:
        answer = await new().get("/app/sign-in/oidc")
        assert answer.status_code == 502
        assert "The identity provider did not answer correctly" in answer.text


class TestWithoutProvider:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"oidc_issuer": None})

    async def test_there_is_no_such_way(self, new: NewBrowser) -> None:
        assert (await new().get("/app/sign-in/oidc")).status_code == 404
        assert (await new().get("/app/sign-in/oidc/back")).status_code == 404
        assert "Example Login" not in (await new().get("/app/sign-in")).text
