"""A mail is admitted, held or discarded by the rules of its address and by what was proved of its sender."""

from dataclasses import dataclass, replace

import pytest

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import Decision, Envelope, Heading, InboundMail, SenderDecision, Verdict
from serve_app.domain.mail_address import MailAddress, SenderPolicy
from serve_app.services.mailroom.sender_policy import CheckedSenderPolicy
from serve_app.store.base import Store
from tests.support.inbound import a_mail
from tests.support.people import add_member


@dataclass
class Checker:
    """Proves of every mail the same."""

    verdict: Verdict

    async def check(self, raw: bytes, envelope: Envelope) -> Verdict:
        return self.verdict


@pytest.fixture
async def member(store: Store, account: Account) -> str:
    return (await add_member(store, account)).email


def from_(address: MailAddress, sender: str = "anna@example.com") -> InboundMail:
    return replace(a_mail(address), heading=Heading(sender, subject="Invoice"))


@pytest.mark.parametrize(
    ("policy", "proved", "decision"),
    [
        (SenderPolicy.ANYONE, (), Decision.ADMIT), (SenderPolicy.KNOWN, (), Decision.HOLD),
        (SenderPolicy.KNOWN, ("member",), Decision.ADMIT), (SenderPolicy.LISTED, ("member",), Decision.HOLD),
        (SenderPolicy.LISTED, ("friend@example.com",), Decision.ADMIT),
        (SenderPolicy.ANYONE, ("spam@example.net",), Decision.DISCARD),
    ],
)  # fmt: skip
async def test_the_policy_decides(
    store: Store, address: MailAddress, member: str, policy: SenderPolicy, proved: tuple[str, ...], decision: Decision
) -> None:
    rules = replace(address, policy=policy, allowed=("friend@example.com",), denied=("example.net",))
    verdict = Verdict(tuple(member if name == "member" else name for name in proved))
    gate = CheckedSenderPolicy(Checker(verdict), store.memberships)
    assert await gate.decide(b"", from_(rules), rules, "") == SenderDecision(decision, verdict)


async def test_a_question_of_a_mail_program_is_shown_whatever_is_decided(store: Store, address: MailAddress) -> None:
    gate = CheckedSenderPolicy(Checker(Verdict()), store.memberships)
    rules = replace(address, policy=SenderPolicy.LISTED)
    asked = replace(
        from_(rules),
        heading=Heading("forwarding-noreply@google.com", subject="Gmail Forwarding Confirmation (#123456789)"),
    )
    sender = await gate.decide(b"", asked, rules, "https://mail-settings.google.com/mail/vf-abc to confirm")
    assert sender.decision is Decision.HOLD
    assert sender.confirmation is not None
    assert (sender.confirmation.code, sender.confirmation.link) == (
        "123456789",
        "https://mail-settings.google.com/mail/vf-abc",
    )
