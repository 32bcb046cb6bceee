"""All services about people, with mail that is kept."""

import pytest

from serve_app.domain.account import Account
from serve_app.domain.person import Person
from serve_app.services.people.bundle import PeopleServices
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.wiring.people import build_people
from tests.support import Clock
from tests.support.mails import FakeMailer
from tests.support.people import add_member


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


@pytest.fixture
def services(store: Store, settings: Settings, mailer: FakeMailer, clock: Clock) -> PeopleServices:
    return build_people(store, settings, mailer, clock)


@pytest.fixture
async def ann(store: Store, account: Account) -> Person:
    """The owner of the account."""
    return await add_member(store, account)
