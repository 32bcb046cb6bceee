"""What attackers try at the pages and does not work. docs/reference/web-security.md lists more, each with its test."""

import httpx
import pytest
from fastapi.routing import APIRoute

from serve_app.domain.account import Account, Scope, mint_key
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person, Role
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.web.app import ROUTERS
from serve_app.web.cookies import SESSION
from tests.support import NOON
from tests.support.people import add_member
from tests.web.conftest import NewBrowser, SignedIn
from tests.web.people import give, session_of

_SAFE = ("GET", "HEAD")
FORGED: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site", "Origin": "https://service"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "https://service.evil.example"},
    {"Origin": "null"},
    {},
)


def forms() -> list[tuple[str, str]]:
    """Every address below /app that changes something, with its method."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return [(method, f"/app{route.path}") for route in routes for method in route.methods or () if method not in _SAFE]


async def test_no_form_can_be_sent_by_another_site(signed_in: SignedIn) -> None:
    browser = await signed_in()
    assert ("POST", "/app/people/invite") in forms()
    for headers in FORGED:
        browser.headers = httpx.Headers(headers)
        for method, path in forms():
            answer = await browser.request(method, path.replace("{", "").replace("}", ""), data={"address": "a@b.c"})
            assert answer.status_code == 403, (path, headers)
            assert "did not come from a page of this service" in answer.text
    browser.headers["Sec-Fetch-Site"] = "same-origin"
    assert (await browser.get("/app/people")).text.count("@example.com") >= 1


async def test_no_page_can_be_framed_or_sniffed_or_kept(signed_in: SignedIn) -> None:
    browser = await signed_in()
    for path in ("/app/", "/app/people", "/app/devices", "/app/audit", "/app/sign-in?again=1", "/app/enter", "/app/no"):
        headers = (await browser.get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "form-action 'self'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "same-origin"


async def test_the_api_takes_no_cookie(signed_in: SignedIn) -> None:
    browser = await signed_in()
    assert session_of(browser)
    for path in ("/v1/me", "/v1/invoices", "/v1/events"):
        answer = await browser.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "missing_api_key"), path
    sent = await browser.post("/v1/invoices", files={"file": ("a.pdf", b"%PDF-1.7")})
    assert sent.status_code == 401


async def test_the_pages_take_no_key(new: NewBrowser, store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    browser = new()
    browser.headers["Authorization"] = f"Bearer {raw}"
    assert (await browser.get("/v1/me")).status_code == 200
    for path in ("/app/", "/app/people", "/app/invoices"):
        assert (await browser.get(path)).status_code == 303, path
    assert (await browser.post("/app/devices/end-all")).headers["location"].startswith("/app/sign-in")
    give(browser, SESSION, raw)
    assert (await browser.get("/app/")).status_code == 303


async def test_a_session_is_not_found_by_its_hash(new: NewBrowser, store: Store, signed_in: SignedIn) -> None:
    """What a copy of the database has does not sign in."""
    await signed_in()
    ann = await store.people.find("ann@example.com")
    assert ann is not None
    (session,) = await store.sessions.of_person(ann.id, NOON)
    for value in (session.hash, str(session.id), str(ann.id)):
        browser = new()
        give(browser, SESSION, value)
        assert (await browser.get("/app/")).status_code == 303


@pytest.mark.parametrize("public_url", ["https://invoices.example.com", "https://invoices.example.com:443/"])
class TestBehindAProxy:
    """An old browser, which says only where a request comes from."""

    @pytest.fixture
    def settings(self, settings: Settings, public_url: str) -> Settings:
        return settings.model_copy(update={"public_url": public_url})

    @pytest.mark.parametrize(
        ("origin", "passes"),
        [
            ("https://invoices.example.com", True),
            # An attacker on the way can answer over plain http.
            ("http://invoices.example.com", False),
            ("https://invoices.example.com:8443", False),
            # What the proxy calls the service.
            ("https://service", False),
        ],
    )
    async def test_only_the_public_address_counts(self, new: NewBrowser, origin: str, passes: bool) -> None:
        browser = new()
        browser.headers = httpx.Headers({"Origin": origin})
        assert ((await browser.post("/app/sign-out")).status_code == 303) is passes


async def test_an_operator_is_no_owner_of_accounts(signed_in: SignedIn, store: Store, account: Account) -> None:
    """Running the deployment gives no right in an account."""
    await add_member(store, account, "owner@example.com")
    root = Person(new_id(), "root@example.com", "Root", NOON, is_operator=True)
    await store.people.add(root)
    browser = await signed_in(email="root@example.com", role=Role.VIEWER)
    assert (await browser.get("/app/people")).status_code == 403
    assert (await browser.get("/app/audit")).status_code == 403


async def test_somebody_without_an_account_sees_nothing(new: NewBrowser, store: Store, services: Services) -> None:
    nobody = Person(new_id(), "nobody@example.com", "No", NOON)
    await store.people.add(nobody)
    _, secret = await services.people.sessions.open(nobody.id, "")
    browser = new()
    give(browser, SESSION, secret)
    for path in ("/app/", "/app/devices", "/app/operator"):
        answer = await browser.get(path)
        assert answer.status_code == 403
        assert "You no longer belong to an account" in answer.text


async def test_an_operator_without_an_account_sees_the_deployment_alone(
    new: NewBrowser, store: Store, services: Services, account: Account
) -> None:
    root = Person(new_id(), "root@example.com", "Root", NOON, is_operator=True)
    await store.people.add(root)
    _, secret = await services.people.sessions.open(root.id, "")
    browser = new()
    give(browser, SESSION, secret)
    assert (await browser.get("/app/")).headers["location"] == "/app/operator"
    for path in ("/app/operator", "/app/operator/accounts", f"/app/operator/accounts/{account.id}", "/app/devices"):
        shown = await browser.get(path)
        assert shown.status_code == 200, path
        assert "Deployment" in shown.text
        assert "/app/invoices" not in shown.text
        assert "palette" not in shown.text
    made = await browser.post("/app/operator/accounts", data={"plan": "pro", "email": "new@example.com"})
    assert made.status_code == 303
    for path in ("/app/invoices", "/app/people", "/app/audit", "/app/find?q=a", "/app/send", "/app/keys"):
        answer = await browser.get(path)
        assert answer.status_code == 403, path
        assert "You belong to no account" in answer.text
    assert (await browser.post("/app/devices/end-all")).status_code == 303
    assert [entry.action for entry in (await store.audit.page(None, 9)).items] == [
        "session.ended_everywhere",
        "account.created",
    ]
