"""What providers are told, so that each tries again when that is of use, and stops when it is not."""

import base64
import json
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable, Unavailable
from serve_app.domain.inbound_mail import DayLimits
from serve_app.domain.mail_address import MailAddress
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.mailroom import build_mailroom
from tests.api.mail_in.conftest import SECRET, Received
from tests.api.mail_in.sns import signed, sns
from tests.api.mail_in.test_providers import BASIC, BEARER, RAW, mailgun, ses, urlencoded
from tests.support import NOON, Clock, queue_new
from tests.support.inbound import add_address


async def send(anyone: httpx.AsyncClient, way: str, to: str, raw: bytes = RAW) -> httpx.Response:
    """Hand over a mail as this provider does."""
    match way:
        case "mailgun/mime":
            return await anyone.post(f"/mail/in/{way}", **urlencoded({**mailgun(to), "body-mime": raw}))
        case "postmark":
            body = {"OriginalRecipient": to, "RawEmail": raw.decode("latin-1")}
            return await anyone.post(f"/mail/in/{way}", json=body, headers=BASIC)
        case "sendgrid":
            envelope = json.dumps({"to": [to], "from": ""})
            parts = [("envelope", (None, envelope.encode())), ("email", (None, raw))]
            return await anyone.post(f"/mail/in/{way}", files=parts, headers=BASIC)
        case "ses":
            notification = sns(ses(to, "BASE64", base64.b64encode(raw).decode()))
            return await anyone.post(f"/mail/in/{way}", content=notification, headers=BASIC)
        case _:
            return await anyone.post(f"/mail/in/{way}", params={"to": to}, content=raw, headers=BEARER)


WAYS = ("raw", "mailgun/mime", "postmark", "sendgrid", "ses")
STOPPING = {"raw": 404, "mailgun/mime": 406, "postmark": 403, "sendgrid": 200, "ses": 200}


@pytest.mark.parametrize("way", WAYS)
async def test_an_unknown_address_ends_the_tries(anyone: httpx.AsyncClient, way: str, received: Received) -> None:
    answer = await send(anyone, way, "nobody-1@in.test")
    assert (answer.status_code, answer.json()) == (STOPPING[way], {"refused": "unknown_address"})
    assert await received() == []


@pytest.mark.parametrize("way", WAYS)
async def test_the_same_mail_again_is_the_same_mail(
    anyone: httpx.AsyncClient, way: str, to: str, received: Received
) -> None:
    first, again = await send(anyone, way, to), await send(anyone, way, to)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert len(await received()) == 1


@pytest.mark.parametrize("way", WAYS)
async def test_a_store_that_is_away_is_tried_again(
    anyone: httpx.AsyncClient, app: FastAPI, way: str, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreUnreachable

    services: Services = app.state.services
    monkeypatch.setattr(type(services.mailroom.reception), "receive", fail)
    answer = await send(anyone, way, to)
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


@pytest.mark.parametrize("way", WAYS)
async def test_a_mail_whose_documents_would_wait_too_long_is_sent_again(
    anyone: httpx.AsyncClient, app: FastAPI, way: str, to: str, store: Store, files: Files, account: Account
) -> None:
    await queue_new(store, account.id, NOON - timedelta(seconds=61))
    services: Services = app.state.services
    settings = services.settings.model_copy(update={"max_wait_seconds": 60.0})
    mailroom = build_mailroom(store, files, settings, Clock())
    app.state.services = replace(services, mailroom=mailroom)
    answer = await send(anyone, way, to)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")


async def test_an_address_over_its_rate_is_tried_again_later(
    anyone: httpx.AsyncClient, app: FastAPI, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reception = app.state.services.mailroom.reception
    limits = reception._limits
    monkeypatch.setattr(reception, "_limits", type(limits)(limits.max_bytes, DayLimits(0, 0), limits.abandoned_after))
    answer = await send(anyone, "raw", to)
    assert (answer.status_code, answer.json()) == (503, {"refused": "over_rate"})
    assert answer.headers["retry-after"] == "600"


@pytest.mark.parametrize(
    ("raw", "status", "refusal"),
    [
        (b"X-Loop: nobody@localhost\r\n" + RAW, 422, "loop"),
        (b"Received: x\r\n" * 31 + RAW, 422, "loop"),
        (RAW + b"x" * (24 * 2**20), 413, "too_large"),
    ],
)
async def test_what_can_never_be_accepted_is_reported(
    anyone: httpx.AsyncClient, app: FastAPI, to: str, raw: bytes, status: int, refusal: str
) -> None:
    mark = app.state.services.mailroom.reception._loop_mark
    answer = await send(anyone, "raw", to, raw.replace(b"nobody@localhost", mark.encode()))
    assert (answer.status_code, answer.json()) == (status, {"refused": refusal})


async def test_a_retired_address_says_that_it_was_changed(
    anyone: httpx.AsyncClient, store: Store, account: Account
) -> None:
    old = await add_address(store, account.id, ends_at=NOON)
    answer = await send(anyone, "raw", f"{old.local}@in.test")
    assert (answer.status_code, answer.json()) == (410, {"refused": "address_changed"})


async def test_a_mail_for_several_is_kept_for_those_who_are_known(
    anyone: httpx.AsyncClient, store: Store, account: Account, address: MailAddress, received: Received
) -> None:
    other = await add_address(store, account.id)
    params = {"to": [f"{address.local}@in.test", "nobody@in.test", f"{other.local}+berlin@in.test", "  "]}
    answer = await anyone.post("/mail/in/raw", params=params, content=RAW, headers=BEARER)
    assert answer.status_code == 200
    ids = answer.json()["ids"]
    assert answer.json()["recipients"] == [
        {"to": f"{address.local}@in.test", "id": ids[0]},
        {"to": "nobody@in.test", "refused": "unknown_address"},
        {"to": f"{other.local}+berlin@in.test", "id": ids[1]},
    ]
    assert {mail.address_id for mail in await received()} == {address.id, other.id}


async def test_if_one_of_several_cannot_have_it_now_the_others_have_it_once(
    anyone: httpx.AsyncClient, store: Store, account: Account, address: MailAddress, received: Received, app: FastAPI
) -> None:
    other = await add_address(store, account.id)
    reception, calls = app.state.services.mailroom.reception, []
    check = reception.check

    async def busy_for_one(recipient: str) -> MailAddress:
        calls.append(recipient)
        if recipient.startswith(other.local) and len(calls) < 4:
            raise Unavailable
        found: MailAddress = await check(recipient)
        return found

    reception.check = busy_for_one
    params = {"to": [f"{other.local}@in.test", f"{address.local}@in.test"]}
    first = await anyone.post("/mail/in/raw", params=params, content=RAW, headers=BEARER)
    assert first.status_code == 503
    assert [one.get("refused") for one in first.json()["recipients"]] == ["unavailable", None]
    await anyone.post("/mail/in/raw", params=params, content=RAW, headers=BEARER)
    third = await anyone.post("/mail/in/raw", params=params, content=RAW, headers=BEARER)
    assert third.status_code == 200
    assert len(await received()) == 2


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("secret", [None, "Bearer wrong", f"Bearer {SECRET}x", "Basic !!", "Basic Og==", "Bearer"])
async def test_nobody_else_hands_over_mails(
    anyone: httpx.AsyncClient, way: str, to: str, received: Received, secret: str | None
) -> None:
    headers = {} if secret is None else {"Authorization": secret}
    answer = await anyone.post(f"/mail/in/{way}", params={"to": to}, data={"body-mime": "x"}, headers=headers)
    assert answer.status_code == 401
    assert await received() == []


@pytest.mark.parametrize(
    ("way", "body"),
    [
        ("raw", b""),
        ("mailgun/mime", b"{}"),
        ("postmark", b"[]"),
        ("postmark", b'{"RawEmail": 7, "OriginalRecipient": []}'),
        ("sendgrid", b"nonsense"),
        ("ses", b'{"Type": "Notification", "Message": "{}"}'),
        ("ses", b'{"Type": "Notification", "Message": "' + b"[" * 100_000 + b'"}'),
        (
            "ses",
            b'{"Type": "Notification", "Message":'
            b'"{\\"receipt\\": {\\"action\\": {\\"encoding\\": \\"BASE64\\"}}, \\"content\\": \\"!\\"}"}',
        ),
    ],
)
async def test_nonsense_is_refused_with_a_reason(anyone: httpx.AsyncClient, to: str, way: str, body: bytes) -> None:
    headers = {**BASIC, "Content-Type": "application/octet-stream"}
    if way == "ses":
        body = json.dumps(signed(json.loads(body))).encode()
    answer = await anyone.post(f"/mail/in/{way}", params={"to": to}, content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_body")


class TestWithoutASecret:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"mail_http_secret": None, "mailgun_signing_key": None})

    @pytest.mark.parametrize("way", WAYS)
    async def test_there_is_no_such_way_in(self, anyone: httpx.AsyncClient, way: str, to: str) -> None:
        assert (await send(anyone, way, to)).status_code == 404
