"""Decides by the rules of an address, where nothing is known about who sent a mail."""

from serve_app.domain.inbound_mail import Decision, InboundMail, Judgement
from serve_app.domain.mail_address import MailAddress, SenderPolicy


class OpenGate:
    """The Gatekeeper that checks nobody: what a mail says about its sender proves nothing, so an address that wants
    known senders holds every mail."""

    async def judge(self, raw: bytes, mail: InboundMail, address: MailAddress) -> Judgement:
        """Admitted where anyone may send."""
        return Judgement(Decision.ADMIT if address.policy is SenderPolicy.ANYONE else Decision.HOLD)
