"""From whom an address takes mail."""

import pytest

from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Verdict
from serve_app.domain.mail_address import MailAddress, SenderPolicy
from serve_app.domain.mail_trust import admits, is_from, refuses
from tests.support import NOON

PEOPLE = ("owner@account.test",)


def address(policy: SenderPolicy, *allowed: str, denied: tuple[str, ...] = ()) -> MailAddress:
    return MailAddress(new_id(), new_id(), "a-b", NOON, policy=policy, allowed=allowed, denied=denied)


@pytest.mark.parametrize(
    ("identities", "senders", "expected"),
    [
        (("anna@shop.test",), ("anna@shop.test",), True),
        (("anna@shop.test",), ("Anna@Shop.test",), True),
        (("anna@shop.test",), ("shop.test",), True),
        (("mail.shop.test",), ("shop.test",), True),
        (("shop.test",), ("anna@shop.test",), False),
        (("anna@gmail.test",), ("bert@gmail.test",), False),
        (("anna@notshop.test",), ("shop.test",), False),
        ((), ("shop.test",), False),
        (("shop.test", "forwarder.test"), ("forwarder.test",), True),
    ],
)
def test_a_sender_is_an_address_or_a_domain(
    identities: tuple[str, ...], senders: tuple[str, ...], expected: bool
) -> None:
    assert is_from(Verdict(identities), senders) is expected


@pytest.mark.parametrize(
    ("policy", "outsider", "person", "listed"),
    [
        (SenderPolicy.ANYONE, True, True, True),
        (SenderPolicy.KNOWN, False, True, True),
        (SenderPolicy.LISTED, False, False, True),
    ],
)
def test_policies(policy: SenderPolicy, outsider: bool, person: bool, listed: bool) -> None:
    there = address(policy, "shop.test")
    senders = ("x@else.test", "owner@account.test", "anna@shop.test")
    assert [admits(there, Verdict((sender,)), PEOPLE) for sender in senders] == [outsider, person, listed]


def test_a_denied_sender_is_known_by_what_it_claims() -> None:
    there = address(SenderPolicy.ANYONE, denied=("spam.test",))
    assert refuses(there, Verdict(), "Promo@Spam.test")
    assert refuses(there, Verdict(("mail.spam.test",)), None)
    assert not refuses(there, Verdict(("shop.test",)), "anna@shop.test")
