"""Mails by API: what each part of a mail came to."""

from datetime import timedelta

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Heading, InboundMail, MailPart, MailState, Outcome
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import NOON, UNKNOWN_ID
from tests.support.inbound import DONE, HELD, add_address, add_mail

PATH = "/v1/mails"
INVOICE = new_id()
PARTS = (
    MailPart("1", Outcome.IGNORED, "A text without an invoice.", mime_type="text/plain", size=12),
    MailPart("2", Outcome.INVOICE, "", "bill.pdf", "application/pdf", 17, invoice_id=INVOICE),
    MailPart("3", Outcome.UNREADABLE, "The file is damaged.", "scan.pdf", "application/pdf", 9),
)


@pytest.fixture
async def mails(store: Store, account: Account) -> list[InboundMail]:
    """One that is done, one that waits for a decision about its sender, and one that was discarded."""
    address = await add_address(store, account.id)
    heading = Heading("anna@example.com", "Anna", "Bill", "<1@example.com>")
    changes = ({**DONE, "parts": PARTS, "heading": heading}, HELD, {**DONE, "state": MailState.DISCARDED})
    return [
        await add_mail(store, address, str(number), received_at=NOON + timedelta(seconds=number), **more)
        for number, more in enumerate(changes)
    ]


async def test_each_mail_has_its_parts_and_what_each_came_to(
    client: httpx.AsyncClient, mails: list[InboundMail]
) -> None:
    mail = (await client.get(f"{PATH}/{mails[0].id}")).json()
    assert (mail["object"], mail["state"], mail["held_for"]) == ("mail", "done", None)
    assert (mail["sender"], mail["subject"]) == ({"address": "anna@example.com", "name": "Anna"}, "Bill")
    assert [(part["path"], part["outcome"], part["problem"], part["invoice_id"]) for part in mail["parts"]] == [
        ("1", "ignored", False, None),
        ("2", "invoice", False, str(INVOICE)),
        ("3", "unreadable", True, None),
    ]
    assert (mail["parts"][2]["reason"], mail["parts"][2]["file_name"]) == ("The file is damaged.", "scan.pdf")
    listed = (await client.get(PATH)).json()
    assert [item["id"] for item in listed["data"]] == [str(each.id) for each in reversed(mails)]
    assert listed["data"][2] == mail


async def test_mails_are_filtered_and_paged(client: httpx.AsyncClient, mails: list[InboundMail]) -> None:
    done, held, discarded = (str(mail.id) for mail in mails)
    for asked, found in (
        ({"state": "done"}, [done]),
        ({"state": "held"}, [held]),
        ({"held_for": "sender"}, [held]),
        ({"held_for": "quota"}, []),
        ({"outcome": "unreadable"}, [done]),
        ({"outcome": "too_large"}, []),
        ({"outcome": "invoice", "state": "discarded"}, []),
        ({"limit": "1"}, [discarded]),
        ({"starting_after": discarded}, [held, done]),
        ({"starting_after": held, "limit": "1"}, [done]),
    ):
        answer = (await client.get(PATH, params=asked)).json()
        assert [item["id"] for item in answer["data"]] == found, asked
        assert answer["has_more"] is (asked == {"limit": "1"})
    unknown = await client.get(PATH, params={"starting_after": UNKNOWN_ID})
    assert_error(unknown, 400, "invalid_request_error", "invalid_parameter")


async def test_an_unknown_mail_is_404(client: httpx.AsyncClient, mails: list[InboundMail]) -> None:
    assert_error(await client.get(f"{PATH}/{UNKNOWN_ID}"), 404, "not_found", "mail_not_found")
