"""Each provider's own way to hand over a mail, with a sample of what it sends."""

import base64
import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import FileUrlUnreachable
from serve_app.domain.inbound_mail import Way
from serve_app.net.outcome import Fetched, Unreachable
from serve_app.services.bundle import Services
from serve_app.services.intake.file_urls import FileUrls
from serve_app.store.base import Files
from tests.api.mail_in.conftest import MAILGUN, SECRET, Received
from tests.api.mail_in.sns import CERTIFICATE_URL, answering, certified, notification, signed, sns

# Bytes that are no UTF-8 must arrive as they are.
RAW = b"Message-ID: <1@x>\r\nFrom: Anna <anna@shop.test>\r\nSubject: Rechnung\r\n\r\nGr\xfc\xdfe\r\n"
TEXT = RAW.decode("latin-1").replace("Grüße", "Greetings")
BASIC = {"Authorization": "Basic " + base64.b64encode(f"any:{SECRET}".encode()).decode()}
BEARER = {"Authorization": f"Bearer {SECRET}"}


def mailgun(to: str, **changes: str) -> dict[str, str]:
    """The fields of Mailgun besides the mail."""
    timestamp, token = changes.pop("timestamp", str(int(utc_now().timestamp()))), "c6b1a3" * 8
    signature = hmac.new(MAILGUN.encode(), (timestamp + token).encode(), hashlib.sha256).hexdigest()
    return {
        "recipient": to,
        "sender": "bounce+1@shop.test",
        "from": "Anna <anna@shop.test>",
        "subject": "Rechnung",
        "timestamp": timestamp,
        "token": token,
        "signature": signature,
    } | changes


def urlencoded(fields: dict[str, Any]) -> dict[str, Any]:
    """The form in the shorter of its two notations."""
    return {"content": urlencode(fields), "headers": {"Content-Type": "application/x-www-form-urlencoded"}}


def ses(to: str, encoding: str, content: str) -> dict[str, Any]:
    """What SES puts into it."""
    return {
        "notificationType": "Received",
        "receipt": {
            "recipients": [to],
            "spfVerdict": {"status": "PASS"},
            "action": {"type": "SNS", "topicArn": "arn:aws:sns:eu-central-1:123456789012:mails", "encoding": encoding},
        },
        "mail": {"source": "bounce@shop.test", "destination": [to], "headersTruncated": False},
        "content": content,
    }


async def check(received: Received, files: Files, raw: bytes, sender: str, peer: str | None = None) -> None:
    """The mail is there once, byte for byte."""
    (mail,) = await received()
    assert await files.read(mail.file_key) == raw
    assert (mail.envelope.way, mail.envelope.sender, mail.envelope.peer) == (Way.HTTP, sender, peer)


async def test_a_mail_as_it_is(anyone: httpx.AsyncClient, to: str, received: Received, files: Files) -> None:
    for headers in (BEARER, BASIC):
        answer = await anyone.post(
            "/mail/in/raw", params={"to": to, "from": "a@shop.test"}, content=RAW, headers=headers
        )
        assert answer.status_code == 200
        (mail,) = await received()
        assert answer.json() == {"ids": [str(mail.id)]}
    await check(received, files, RAW, "a@shop.test")


async def test_mailgun_with_a_multipart_form(
    anyone: httpx.AsyncClient, to: str, received: Received, files: Files
) -> None:
    parts: list[tuple[str, Any]] = [(name, (None, value.encode())) for name, value in mailgun(to).items()]
    answer = await anyone.post("/mail/in/mailgun/mime", files=[*parts, ("body-mime", (None, RAW))])
    assert answer.status_code == 200, answer.text
    await check(received, files, RAW, "bounce+1@shop.test")


async def test_mailgun_with_a_urlencoded_form(
    anyone: httpx.AsyncClient, to: str, received: Received, files: Files
) -> None:
    answer = await anyone.post("/mail/in/mailgun/mime", **urlencoded({**mailgun(to), "body-mime": RAW}))
    assert answer.status_code == 200, answer.text
    await check(received, files, RAW, "bounce+1@shop.test")


@pytest.mark.parametrize("changes", [{"signature": "0" * 64}, {"signature": ""}, {"token": "x"}, {"timestamp": "1"}])
async def test_a_mail_that_mailgun_has_not_signed_now_is_refused(
    anyone: httpx.AsyncClient, to: str, received: Received, changes: dict[str, str]
) -> None:
    answer = await anyone.post("/mail/in/mailgun/mime", **urlencoded({**mailgun(to, **changes), "body-mime": RAW}))
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_api_key")
    assert await received() == []


async def test_postmark(anyone: httpx.AsyncClient, to: str, received: Received, files: Files) -> None:
    body = {
        "FromName": "Anna",
        "MessageStream": "inbound",
        "From": "anna@shop.test",
        "To": to,
        "OriginalRecipient": to,
        "Subject": "Rechnung",
        "MessageID": "73e6d360-66eb-11e1-8e72-a8904824019b",
        "RawEmail": TEXT,
    }
    answer = await anyone.post("/mail/in/postmark", json=body, headers=BASIC)
    assert answer.status_code == 200, answer.text
    await check(received, files, TEXT.encode(), "")


async def test_sendgrid(anyone: httpx.AsyncClient, to: str, received: Received, files: Files) -> None:
    fields = {
        "to": to,
        "from": "Anna <anna@shop.test>",
        "sender_ip": "8.8.8.8",
        "SPF": "pass",
        "dkim": "{@shop.test : pass}",
        "envelope": json.dumps({"to": [to], "from": "bounce@shop.test"}),
        "subject": "Rechnung",
    }
    parts: list[tuple[str, Any]] = [(name, (None, value.encode())) for name, value in fields.items()]
    answer = await anyone.post("/mail/in/sendgrid", files=[*parts, ("email", (None, RAW))], headers=BASIC)
    assert answer.status_code == 200, answer.text
    await check(received, files, RAW, "bounce@shop.test", "8.8.8.8")


@pytest.mark.parametrize(
    ("encoding", "content", "raw"),
    [("BASE64", base64.b64encode(RAW).decode(), RAW), ("UTF8", TEXT, TEXT.encode())],
)
async def test_ses(
    anyone: httpx.AsyncClient, to: str, received: Received, files: Files, encoding: str, content: str, raw: bytes
) -> None:
    headers = {"Content-Type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": "Notification", **BASIC}
    answer = await anyone.post("/mail/in/ses", content=sns(ses(to, encoding, content)), headers=headers)
    assert answer.status_code == 200, answer.text
    await check(received, files, raw, "bounce@shop.test")


class TestSignature:
    """Only what Amazon has signed is taken, even from somebody who knows the secret."""

    async def answer(self, anyone: httpx.AsyncClient, message: dict[str, Any]) -> int:
        return (await anyone.post("/mail/in/ses", content=json.dumps(message), headers=BASIC)).status_code

    @pytest.mark.parametrize("version", ["1", "2"])
    async def test_it_is_checked_with_a_certificate_that_is_fetched_once(
        self, anyone: httpx.AsyncClient, to: str, certificates: list[str], version: str
    ) -> None:
        message = signed(notification(ses(to, "UTF8", TEXT)), version=version)
        assert [await self.answer(anyone, message) for _ in range(2)] == [200, 200]
        assert certificates == [CERTIFICATE_URL]

    @pytest.mark.parametrize(
        "changes",
        [
            {"Message": "{}"}, {"Subject": "Another"}, {"Signature": "AAAA"}, {"Signature": "?"}, {"Signature": None},
            {"SignatureVersion": "3"}, {"SigningCertURL": None}, {"Type": "Other"},
        ],
    )  # fmt: skip
    async def test_what_is_changed_is_refused(
        self, anyone: httpx.AsyncClient, to: str, received: Received, changes: dict[str, Any]
    ) -> None:
        message = signed(notification(ses(to, "UTF8", TEXT))) | changes
        assert await self.answer(anyone, message) == 401
        assert await received() == []

    @pytest.mark.parametrize(
        "url",
        [
            "https://sns.evil.test/SimpleNotificationService-1.pem",
            "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem",
            "https://sns.eu-central-1.amazonaws.com.evil.test/SimpleNotificationService-1.pem",
            "https://sns.eu-central-1.amazonaws.com@evil.test/SimpleNotificationService-1.pem",
            "https://sns.eu-central-1.amazonaws.com/other.pem",
            "https://bucket.s3.amazonaws.com/SimpleNotificationService-1.pem",
        ],
    )
    async def test_a_certificate_from_elsewhere_is_not_even_fetched(
        self, anyone: httpx.AsyncClient, to: str, certificates: list[str], url: str
    ) -> None:
        message = signed(notification(ses(to, "UTF8", TEXT))) | {"SigningCertURL": url}
        assert await self.answer(anyone, message) == 401
        assert certificates == []

    async def test_another_key_and_an_old_certificate_are_refused(
        self, anyone: httpx.AsyncClient, to: str, services: Services, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outsider, _ = certified()
        assert await self.answer(anyone, signed(notification(ses(to, "UTF8", TEXT)), outsider)) == 401
        old, certificate = certified(days=-1)
        monkeypatch.setattr(services.sns, "_certificates", {})
        monkeypatch.setattr(services.sns, "_fetch", answering(certificate, []))
        assert await self.answer(anyone, signed(notification(ses(to, "UTF8", TEXT)), old)) == 401

    async def test_while_the_certificate_cannot_be_had_amazon_tries_again(
        self, anyone: httpx.AsyncClient, to: str, services: Services, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> Fetched:
            raise Unreachable("it took too long")

        monkeypatch.setattr(services.sns, "_fetch", fail)
        message = signed(notification(ses(to, "UTF8", TEXT)))
        answer = await anyone.post("/mail/in/ses", json=message, headers=BEARER)
        assert answer.status_code == 503
        assert answer.json()["error"]["message"].startswith(
            "The mail was not accepted, because the certificate of Amazon SNS could not be fetched from sns.eu-"
        )


class TestSubscription:
    """Amazon SNS asks before it sends."""

    @pytest.fixture
    def opened(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        urls: list[str] = []

        async def fetch(_: FileUrls, url: str, name: str | None) -> None:
            urls.append(url)

        monkeypatch.setattr(FileUrls, "fetch", fetch)
        return urls

    async def ask(self, anyone: httpx.AsyncClient, url: str) -> httpx.Response:
        body = {
            "Type": "SubscriptionConfirmation",
            "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
            "Token": "2336412f37",
            "TopicArn": "arn:aws:sns:eu-central-1:123456789012:mails",
            "Message": "You have chosen to subscribe to the topic.",
            "SubscribeURL": url,
            "Timestamp": "2026-05-17T11:00:00.000Z",
        }
        return await anyone.post("/mail/in/ses", content=json.dumps(signed(body)), headers=BASIC)

    async def test_it_is_confirmed(self, anyone: httpx.AsyncClient, opened: list[str]) -> None:
        url = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37"
        assert (await self.ask(anyone, url)).json() == {"subscribed": True}
        assert opened == [url]

    @pytest.mark.parametrize(
        "url", ["https://sns.evil.test/", "https://sns.x.amazonaws.com.evil.test/", "", "https://["]
    )
    async def test_no_other_address_is_opened(self, anyone: httpx.AsyncClient, opened: list[str], url: str) -> None:
        assert (await self.ask(anyone, url)).status_code == 400
        assert opened == []

    async def test_an_answer_that_does_not_come_is_reported(
        self, anyone: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> None:
            raise FileUrlUnreachable("away")

        monkeypatch.setattr(FileUrls, "fetch", fail)
        assert (await self.ask(anyone, "https://sns.eu-central-1.amazonaws.com/?x")).status_code == 422


async def test_amazon_is_asked_for_its_password(anyone: httpx.AsyncClient) -> None:
    answer = await anyone.post("/mail/in/ses", content="{}")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Basic realm="mail"')
