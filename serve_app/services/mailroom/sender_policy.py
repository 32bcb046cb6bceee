"""Decides by who sent a mail, as far as it was proved, and by the rules of its address."""

from serve_app.domain.inbound_mail import Decision, InboundMail, SenderDecision, Verdict
from serve_app.domain.mail_address import MailAddress, SenderPolicy
from serve_app.domain.mail_confirmation import find_confirmation
from serve_app.domain.mail_trust import admits, refuses
from serve_app.services.ports import SenderChecker
from serve_app.store.base import Memberships


class CheckedSenderPolicy:
    """The MailPolicy of a mailroom."""

    def __init__(self, checker: SenderChecker, memberships: Memberships) -> None:
        self._checker = checker
        self._memberships = memberships

    async def decide(self, raw: bytes, mail: InboundMail, address: MailAddress, text: str) -> SenderDecision:
        """What was found out about the sender is kept, whatever is decided."""
        verdict = await self._checker.check(raw, mail.envelope)
        confirmation = find_confirmation(mail.heading.sender, mail.heading.subject, text)
        return SenderDecision(await self._rule_for(mail, address, verdict), verdict, confirmation)

    async def _rule_for(self, mail: InboundMail, address: MailAddress, verdict: Verdict) -> Decision:
        if refuses(address, verdict, mail.heading.sender):
            return Decision.DISCARD
        people: list[str] = []
        if address.policy is SenderPolicy.KNOWN:
            people = [member.person.email for member in await self._memberships.of_account(address.account_id)]
        return Decision.ADMIT if admits(address, verdict, people) else Decision.HOLD
