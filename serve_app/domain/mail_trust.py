"""From whom an address takes mail."""

from collections.abc import Collection

from serve_app.domain.inbound_mail import InboundMail, Verdict
from serve_app.domain.mail_address import MailAddress, SenderPolicy


def admits(address: MailAddress, verdict: Verdict, people: Collection[str]) -> bool:
    """Whether a mail to this address may be read without asking anybody. `people` are the mail addresses of those who
    belong to the account."""
    match address.policy:
        case SenderPolicy.ANYONE:
            return True
        case SenderPolicy.KNOWN:
            return is_from(verdict, address.allowed) or is_from(verdict, people)
        case SenderPolicy.LISTED:
            return is_from(verdict, address.allowed)


def refuses(address: MailAddress, verdict: Verdict, sender: str | None) -> bool:
    """Whether a person has said that everything of this sender is to be discarded. The address in `From` is enough for
    that, proved or not: nobody pretends to be a sender who is not read."""
    claimed = Verdict((sender.lower(),)) if sender else Verdict()
    return is_from(verdict, address.denied) or is_from(claimed, address.denied)


def claimed_sender(mail: InboundMail) -> str:
    """Whom "discard all of the sender" means: what the mail says, whether or not it was proved."""
    proved = mail.verdict.identities if mail.verdict else ()
    return (mail.heading.sender or mail.envelope.sender or next(iter(proved), "")).lower()


def is_from(verdict: Verdict, senders: Collection[str]) -> bool:
    """Whether one of these addresses and domains was proved; a domain stands for its subdomains, too."""
    return any(_matches(identity, sender.lower()) for identity in verdict.identities for sender in senders)


def _matches(identity: str, sender: str) -> bool:
    if "@" in sender:
        return identity == sender
    domain = identity.rpartition("@")[2]
    return domain == sender or domain.endswith("." + sender)
