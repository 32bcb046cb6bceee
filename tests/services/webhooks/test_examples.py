"""The examples of the documentation verify what the service signs, and nothing else."""

import base64
import importlib.util
import json
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from standardwebhooks import WebhookVerificationError

from serve_app.domain.event import Event, EventType, LoggedEvent
from serve_app.domain.ids import new_id
from serve_app.services.webhooks.sample_events import sample_invoice
from serve_app.services.webhooks.signature import new_key_pair, signed_headers
from tests.support import NOON

DOCS = Path(__file__).resolve().parents[3] / "docs"
PYTHON, NODE = DOCS / "examples" / "verify_webhook.py", DOCS / "examples" / "verify_webhook.mjs"
PYTHON_KEY, NODE_KEY = DOCS / "examples" / "verify_webhook_key.py", DOCS / "examples" / "verify_webhook_key.mjs"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+abcdefghE="
OLD_SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl4Z0aBcDeFgHiJkLmNoE="
KEY, PUBLIC_KEY = new_key_pair()
OLD_KEY, OLD_PUBLIC_KEY = new_key_pair()
# Prints the event's id, or nothing where it is not verified.
NODE_DRIVER = """
    import { readFileSync } from "node:fs";
    const { verify } = await import(process.argv[1]);
    const { secret, headers, body } = JSON.parse(readFileSync(0));
    try { console.log(verify(secret, headers, Buffer.from(body, "base64")).id); } catch { }
"""


@dataclass(frozen=True)
class Received:
    """A webhook as a receiver has it before it is verified."""

    headers: Mapping[str, str]
    body: bytes
    secret: str = SECRET

    @property
    def is_for_key(self) -> bool:
        """Whether it is verified with a public key."""
        return self.secret.startswith("whpk_")


Verify = Callable[[Received], str | None]


def sent(*secrets: str, age: float = 0) -> Received:
    """A delivery that was signed `age` seconds ago. The vendor's name is not ASCII."""
    invoice = sample_invoice(EventType.COMPLETED, NOON).model_copy(update={"vendor_name": "Müller & Søn, 東京"})
    event = LoggedEvent.of(Event.about(invoice, NOON), new_id())
    body = event.payload.encode()
    return Received(signed_headers(secrets, event.id, int(time.time() - age), body), body)


def verify_in_python(received: Received) -> str | None:
    path = PYTHON_KEY if received.is_for_key else PYTHON
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        return str(module.verify(received.secret, received.headers, received.body)["id"])
    except (WebhookVerificationError, ValueError):
        return None


def verify_in_node(received: Received) -> str | None:
    body = base64.b64encode(received.body).decode()
    given = json.dumps({"secret": received.secret, "headers": dict(received.headers), "body": body})
    path = NODE_KEY if received.is_for_key else NODE
    command = ["node", "--input-type=module", "--eval", NODE_DRIVER, path.as_uri()]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip() or None


@pytest.fixture(params=[verify_in_python, verify_in_node], ids=["python", "node"])
def verify(request: pytest.FixtureRequest) -> Verify:
    chosen: Verify = request.param
    return chosen


def test_what_the_service_signed_is_verified(verify: Verify) -> None:
    received = sent(SECRET)
    assert verify(received) == received.headers["webhook-id"]


@pytest.mark.parametrize("secrets", [(SECRET, OLD_SECRET), (OLD_SECRET, SECRET)])
def test_while_a_secret_is_changed_either_verifies(verify: Verify, secrets: tuple[str, str]) -> None:
    assert verify(sent(*secrets)) is not None


def test_a_changed_byte_is_noticed(verify: Verify) -> None:
    received = sent(SECRET)
    assert b"119.0" in received.body
    assert verify(replace(received, body=received.body.replace(b"119.0", b"119.1"))) is None


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp"])
def test_a_changed_header_is_noticed(verify: Verify, name: str) -> None:
    received = sent(SECRET, age=2)
    others = {"webhook-id": "evt_other", "webhook-timestamp": str(int(time.time()))}
    assert verify(replace(received, headers=dict(received.headers) | {name: others[name]})) is None


@pytest.mark.parametrize(("age", "is_taken"), [(240, True), (310, False), (-310, False)])
def test_what_is_over_five_minutes_old_is_refused(verify: Verify, age: float, is_taken: bool) -> None:
    assert (verify(sent(SECRET, age=age)) is not None) == is_taken


def test_another_secret_does_not_verify(verify: Verify) -> None:
    assert verify(replace(sent(SECRET), secret=OLD_SECRET)) is None


@pytest.mark.parametrize("signature", ["", "v1,", "v2,AAAA v1,AAAA"])
def test_what_is_not_signed_is_refused(verify: Verify, signature: str) -> None:
    received = sent(SECRET)
    assert verify(replace(received, headers=dict(received.headers) | {"webhook-signature": signature})) is None


def test_the_signature_of_a_key_pair_is_verified_with_its_public_key(verify: Verify) -> None:
    received = replace(sent(SECRET, KEY, OLD_KEY), secret=PUBLIC_KEY)
    assert verify(received) == received.headers["webhook-id"]
    assert verify(replace(received, secret=OLD_PUBLIC_KEY)) == received.headers["webhook-id"]
    assert verify(replace(sent(SECRET, OLD_KEY), secret=PUBLIC_KEY)) is None
    assert verify(replace(sent(SECRET), secret=PUBLIC_KEY)) is None
    assert verify(replace(received, body=received.body + b" ")) is None
    assert verify(replace(sent(SECRET, KEY, age=310), secret=PUBLIC_KEY)) is None
    for name in ("webhook-id", "webhook-timestamp"):
        changed = dict(received.headers) | {name: str(int(received.headers["webhook-timestamp"]) - 1)}
        assert verify(replace(received, headers=changed)) is None


@pytest.mark.parametrize(
    ("path", "language"), [(PYTHON, "python"), (NODE, "js"), (PYTHON_KEY, "python"), (NODE_KEY, "js")]
)
def test_the_documentation_shows_the_examples_as_they_are(path: Path, language: str) -> None:
    assert f"```{language}\n{path.read_text()}```\n" in (DOCS / "how-to" / "receive-webhooks.md").read_text()
