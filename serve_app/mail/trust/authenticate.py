"""All checks of a mail, and what they prove."""

import re
from collections.abc import Iterable

from serve_app.domain.inbound_mail import Envelope, Verdict
from serve_app.mail.trust.authentication_results import checks_of
from serve_app.mail.trust.checks import Check, Method, Result
from serve_app.mail.trust.dmarc import check_dmarc
from serve_app.mail.trust.dns import Dns
from serve_app.mail.trust.headers import sender_of
from serve_app.mail.trust.signatures import check_arc, check_dkim
from serve_app.mail.trust.spf import check_spf

# Gmail forwards as `anna+caf_=invoices-k3f=example.com@gmail.com`; the owner is `anna@gmail.com`.
_GMAIL_FORWARD = re.compile(r"\+caf_=[^@]*(?=@)")
# A forwarder's own address, with that of the sender in it.
_REWRITTEN = re.compile(r"(srs[01][=+-]|prvs=|bounces?[+-])")


def authenticate_sender(raw: bytes, envelope: Envelope, names: Dns, authserv_id: str = "") -> Verdict:
    """By the checks of the server `authserv_id` in front, if it has written them into the mail, else by our own."""
    sender = sender_of(raw)
    front = checks_of(raw, authserv_id) if authserv_id else None
    if front is not None:
        checks, mail_from = front
        return Verdict(_identities(sender, checks, mail_from), (f"Checked by {authserv_id}", *_words(checks)))
    proofs = [check_spf(envelope, names), *check_dkim(raw, names)]
    checks = [*proofs, check_dmarc(sender, proofs, names), check_arc(raw, names)]
    return Verdict(_identities(sender, checks, envelope.sender), _words(checks))


def _words(checks: Iterable[Check]) -> tuple[str, ...]:
    return tuple(check.words for check in checks)


def _identities(sender: str, checks: Iterable[Check], mail_from: str) -> tuple[str, ...]:
    """What the checks prove. ARC proves nothing: it says what a forwarder claims to have seen."""
    found: list[str] = []
    for check in checks:
        if check.result is not Result.PASS or not check.domain:
            continue
        match check.method:
            case Method.DMARC if check.domain == sender.rpartition("@")[2]:
                found.append(sender)
            case Method.SPF:
                found.append(_envelope_identity(mail_from, check.domain))
            case Method.DKIM:
                found.append(check.domain)
    return tuple(dict.fromkeys(found))


def _envelope_identity(mail_from: str, domain: str) -> str:
    """The address that SPF vouches for. In an address that a forwarder has rewritten (SRS), SPF vouches for the
    forwarder only: the sender inside is the forwarder's claim, and everybody can be a forwarder."""
    address = _GMAIL_FORWARD.sub("", mail_from.lower())
    is_own = address.rpartition("@")[2] == domain and not _REWRITTEN.match(address)
    return address if is_own else domain
