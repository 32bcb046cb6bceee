"""The web application in this process, and people who look at it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Mount

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.person import Person, Role
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.web.visitor import Visitor, get_person
from serve_app.wiring.services import build_services
from tests.support import NOON, Clock, FakeCutter, FakeModels, FakeNotifier
from tests.support.inbound import add_address
from tests.support.openers import DirectOpener
from tests.support.people import add_member, make_session
from tests.support.shared_api import api_of
from tests.web.people import enter, new_browser

Browse = Callable[..., httpx.AsyncClient]
SignedIn = Callable[..., Awaitable[httpx.AsyncClient]]
NewBrowser = Callable[..., httpx.AsyncClient]


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(update={"mail_folder": str(tmp_path / "mail")})


@pytest.fixture
def app(store: Store, files: Files, settings: Settings, clock: Clock) -> FastAPI:
    return api_of(
        build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, clock, opener=DirectOpener())
    )


@pytest.fixture
async def browse(app: FastAPI, account: Account, clock: Clock) -> AsyncIterator[Browse]:
    """Opens a browser of a person with a role in the account, who has just signed in, or of nobody."""
    browsers: list[httpx.AsyncClient] = []

    def open_browser(role: Role | None = Role.OWNER, *, is_operator: bool = False) -> httpx.AsyncClient:
        web = next(route.app for route in app.routes if isinstance(route, Mount) and route.path == "/app")
        assert isinstance(web, FastAPI)
        if role is None:
            web.dependency_overrides.pop(get_person, None)
        else:
            person = Person(new_id(), "ada@example.com", "Ada", NOON, is_operator)
            session = make_session(person, account, clock.now)[0]
            web.dependency_overrides[get_person] = lambda: Visitor(person, account, role, session)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        headers = {"Sec-Fetch-Site": "same-origin"}
        browsers.append(httpx.AsyncClient(transport=transport, base_url="https://service", headers=headers))
        return browsers[-1]

    yield open_browser
    for browser in browsers:
        await browser.aclose()


@pytest.fixture
def services(app: FastAPI) -> Services:
    """The services behind the pages."""
    services: Services = app.state.services
    return services


@pytest.fixture
async def new(app: FastAPI) -> AsyncIterator[NewBrowser]:
    """Opens browsers in which nobody is signed in."""
    browsers: list[httpx.AsyncClient] = []

    def open_browser(base: str = "https://service", peer: str = "192.0.2.7") -> httpx.AsyncClient:
        browsers.append(new_browser(app, base, peer))
        return browsers[-1]

    yield open_browser
    for browser in browsers:
        await browser.aclose()


@pytest.fixture
def signed_in(store: Store, services: Services, account: Account, new: NewBrowser) -> SignedIn:
    """Opens a browser in which a person with this role in the account has signed in by a link."""

    async def sign_in(
        role: Role = Role.OWNER, email: str = "ann@example.com", owner: Account = account
    ) -> httpx.AsyncClient:
        person = await store.people.find(email)
        if person is None or owner.id not in {
            place.account_id for place in await store.memberships.of_person(person.id)
        }:
            person = await add_member(store, owner, email, role)
        browser = new()
        answer = await enter(browser, await services.people.links.make(person.id, "https://service"))
        assert answer.status_code == 303, answer.text
        return browser

    return sign_in


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id, label="Acme")
