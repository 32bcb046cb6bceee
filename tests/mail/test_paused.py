"""The contents of the mail about a paused endpoint."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default

import pytest

from serve_app.domain.ids import new_id
from serve_app.domain.webhook import EndpointSecret, PauseReason, WebhookEndpoint
from serve_app.mail.paused_endpoint import ComposePaused
from serve_app.services.webhooks.owner_notices import PausedMail
from tests.support import NOON
from tests.support.mails import text_of

SENDER = Address("Invoices", addr_spec="invoices@example.com")
FAILING = WebhookEndpoint(
    id=new_id(),
    account_id=new_id(),
    url="https://hooks.example.com/path?token=hidden",
    types=(),
    secrets=(EndpointSecret("sealed"),),
    created_at=NOON,
    paused_reason=PauseReason.FAILING,
    failing_since=NOON,
)


def sent(endpoint: WebhookEndpoint, not_made: int = 3, *, are_more: bool = False) -> EmailMessage:
    """The mail as it arrives."""
    mail = PausedMail(
        to="owner@example.com",
        endpoint=endpoint,
        host="hooks.example.com",
        not_made=not_made,
        are_more=are_more,
        since=NOON - timedelta(days=2),
        sent_at=NOON + timedelta(days=5),
    )
    return message_from_bytes(ComposePaused(SENDER)(mail).as_bytes(), policy=default)


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_it_shows_which_endpoint_why_and_what_to_do(kind: str) -> None:
    text = text_of(sent(replace(FAILING, description="the till")), kind)
    ids = f"{FAILING.account_id} {FAILING.id}"
    for fact in (
        "hooks.example.com",
        "the till",
        "Every delivery to it has failed since 2026-05-17 12:00 UTC.",
        "3 deliveries were abandoned.",
        f"invoices webhook resume {ids}",
        f"redeliver {FAILING.account_id} --failed-since 2026-05-15T12:00Z --endpoint {FAILING.id}",
        "GET /v1/events",
    ):
        assert fact in text
    assert "hidden" not in text
    assert "sealed" not in text


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_one_that_is_gone_is_called_so(kind: str) -> None:
    text = text_of(sent(replace(FAILING, paused_reason=PauseReason.GONE)), kind)
    assert "It answered with status 410 (Gone)" in text
    assert "has failed" not in text


@pytest.mark.parametrize(
    ("count", "are_more", "said"),
    [
        (0, False, "0 deliveries were abandoned."),
        (1, False, "1 delivery was abandoned."),
        (1000, True, "More than 1000 deliveries were abandoned."),
    ],
)
def test_deliveries_are_counted(count: int, are_more: bool, said: str) -> None:
    assert said in text_of(sent(FAILING, count, are_more=are_more))


def test_a_description_is_text_only() -> None:
    hostile = replace(FAILING, description="<script>alert(1)</script>")
    assert "<script>" not in text_of(sent(hostile), "html")


def test_machines_are_asked_not_to_answer() -> None:
    message = sent(FAILING)
    assert (message["To"], message["Auto-Submitted"]) == ("owner@example.com", "auto-generated")
    assert message["Subject"] == "Webhook endpoint paused: hooks.example.com"
    assert message["Message-ID"].endswith("@example.com>")


def test_mails_about_one_pause_have_one_id_and_those_about_another_another() -> None:
    first, again, later = (sent(replace(FAILING, revision=revision))["Message-ID"] for revision in (1, 1, 2))
    assert first == again
    assert first != later
