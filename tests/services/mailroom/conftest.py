"""A mailroom on a fresh store."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.domain.mail_address import MailAddress
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.store.base import Files, Store
from tests.support import Clock
from tests.support.inbound import MANY, PATIENCE, add_address

OURS = "invoices@example.com"
RAW_LIFE = timedelta(days=30)


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id)


@pytest.fixture
def reception(store: Store, files: Files, clock: Clock) -> Reception:
    return Reception(store.mail_addresses, store.mails, files, ReceptionLimits(10_000, MANY, PATIENCE), OURS, clock)


@pytest.fixture
def mails(store: Store, files: Files, clock: Clock) -> MailService:
    return MailService(store.mails, files, clock)


@pytest.fixture
def envelope(address: MailAddress) -> Envelope:
    return Envelope(f"{address.local}@in.example.com", Way.SMTP, "anna@example.com", "192.0.2.1", "mx.example.com")
