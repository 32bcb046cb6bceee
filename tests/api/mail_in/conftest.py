"""The addresses at which providers hand over mails."""

from collections.abc import Awaitable, Callable

import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import InboundMail, MailQuery
from serve_app.domain.mail_address import MailAddress
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.mail_in.sns import CERTIFICATE, answering
from tests.support.inbound import add_address

SECRET = "a secret that the provider was given"
MAILGUN = "key-of-the-account"
Received = Callable[[], Awaitable[list[InboundMail]]]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={"mail_http_secret": SecretStr(SECRET), "mailgun_signing_key": SecretStr(MAILGUN)}
    )


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id)


@pytest.fixture
def to(address: MailAddress) -> str:
    """The whole address."""
    return f"{address.local}@in.test"


@pytest.fixture
def received(store: Store, account: Account) -> Received:
    """What the account has received, newest first."""

    async def look() -> list[InboundMail]:
        return list((await store.mails.page(account.id, MailQuery(), 10)).items)

    return look


@pytest.fixture
def services(app: FastAPI) -> Services:
    """The services behind the addresses."""
    services: Services = app.state.services
    return services


@pytest.fixture(autouse=True)
def certificates(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The certificates that were asked for."""
    asked: list[str] = []
    monkeypatch.setattr(services.sns, "_fetch", answering(CERTIFICATE, asked))
    return asked
