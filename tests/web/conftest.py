"""The web application in this process, and people who look at it."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Mount

from serve_app.api.app import create_api
from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person, Role
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.web.visitor import Visitor, get_visitor
from serve_app.wiring import build_services
from tests.support import NOON, Clock, FakeCutter, FakeModels, FakeWaker
from tests.support.people import make_session

Browse = Callable[..., httpx.AsyncClient]


@pytest.fixture
def app(store: Store, files: Files, settings: Settings, clock: Clock) -> FastAPI:
    return create_api(build_services(store, files, FakeWaker(), FakeCutter(), FakeModels(), settings, clock))


@pytest.fixture
async def browse(app: FastAPI, account: Account) -> AsyncIterator[Browse]:
    """Opens a browser of a person with a role in the account, or of nobody."""
    browsers: list[httpx.AsyncClient] = []

    def open_browser(role: Role | None = Role.OWNER, *, is_operator: bool = False) -> httpx.AsyncClient:
        web = next(route.app for route in app.routes if isinstance(route, Mount) and route.path == "/app")
        assert isinstance(web, FastAPI)
        if role is None:
            web.dependency_overrides.pop(get_visitor, None)
        else:
            person = Person(new_id(), "ada@example.com", "Ada", NOON, is_operator)
            session = make_session(person, account)[0]
            web.dependency_overrides[get_visitor] = lambda: Visitor(person, account, role, session)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        headers = {"Sec-Fetch-Site": "same-origin"}
        browsers.append(httpx.AsyncClient(transport=transport, base_url="https://service", headers=headers))
        return browsers[-1]

    yield open_browser
    for browser in browsers:
        await browser.aclose()
