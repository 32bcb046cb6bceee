"""Webhooks that are verified by the client."""

import base64
import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from standardwebhooks import Webhook

from invoices_client import WebhookVerificationError, webhooks
from invoices_client.models import DeletedEvent
from invoices_client.webhooks import verify, verify_signature

# The example of https://github.com/standard-webhooks/standard-webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
VECTOR = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
BODY = b'{"test": 2432232314}'
AT = 1614265330.0
OTHER = "whsec_" + base64.b64encode(b"another secret of this test").decode()


def signed(body: str, secret: str = SECRET) -> dict[str, str]:
    now = datetime.now(UTC)
    signature = Webhook(secret).sign("evt_1", now, body)
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(int(now.timestamp())), "Webhook-Signature": signature}


def test_the_vector_of_the_standard() -> None:
    verify_signature(BODY, VECTOR, SECRET, now=AT)
    verify_signature(BODY.decode(), VECTOR, [OTHER, SECRET], now=AT)


@pytest.mark.parametrize(
    ("changes", "body", "secret", "now"),
    [
        ({}, BODY + b" ", SECRET, AT),
        ({}, BODY, OTHER, AT),
        ({}, BODY, SECRET, AT + 301),
        ({}, BODY, SECRET, AT - 301),
        ({"webhook-id": "msg_other"}, BODY, SECRET, AT),
        ({"webhook-timestamp": "1614265331"}, BODY, SECRET, AT),
        ({"webhook-timestamp": "now"}, BODY, SECRET, AT),
        ({"webhook-signature": ""}, BODY, SECRET, AT),
        ({"webhook-signature": VECTOR["webhook-signature"].replace("v1,", "v2,")}, BODY, SECRET, AT),
        ({"webhook-signature": "v1,g0hM9SsE+OTPJTGt"}, BODY, SECRET, AT),
        ({"webhook-signature": "v1,not base64!"}, BODY, SECRET, AT),
    ],
)
def test_what_is_not_signed_is_refused(changes: dict[str, str], body: bytes, secret: str, now: float) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_signature(body, {**VECTOR, **changes}, secret, now=now)


def test_several_signatures_and_another_tolerance() -> None:
    both = {**VECTOR, "webhook-signature": "v1a,xyz v1,AAAA " + VECTOR["webhook-signature"]}
    verify_signature(BODY, both, SECRET, now=AT + 599, tolerance=600)


def test_a_missing_header_is_refused() -> None:
    with pytest.raises(WebhookVerificationError, match="missing"):
        verify_signature(BODY, {"webhook-id": "1"}, SECRET)


def test_a_secret_in_another_form_is_an_error_of_the_program() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_signature(BODY, VECTOR, "no secret!", now=AT)


def test_a_key_pair_verifies_too() -> None:
    pair = Ed25519PrivateKey.generate()
    public = "whpk_" + base64.b64encode(pair.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
    stamp = str(int(time.time()))
    signature = base64.b64encode(pair.sign(f"evt_1.{stamp}.".encode() + BODY)).decode()
    headers = {"webhook-id": "evt_1", "webhook-timestamp": stamp, "webhook-signature": f"v1,AAAA v1a,{signature}"}
    verify_signature(BODY, headers, public)
    with pytest.raises(WebhookVerificationError):
        verify_signature(BODY + b" ", headers, public)


def test_an_event_is_typed() -> None:
    deleted: dict[str, Any] = {"id": "evt_1", "type": "invoice.deleted", "created_at": "2026-05-17T12:00:00Z"}
    deleted["livemode"] = True
    deleted["data"] = {"invoice": {"id": "1", "object": "invoice", "deleted": True}}
    body = json.dumps(deleted)
    event = verify(body, signed(body, OTHER), [SECRET, OTHER])
    assert isinstance(event, DeletedEvent)
    assert event.data.invoice.deleted
    assert webhooks.verify is verify
