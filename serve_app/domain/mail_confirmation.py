"""Mail programs ask a new address whether it wants what is forwarded to it: recognised, so that somebody can answer."""

import re
from urllib.parse import urlsplit

from serve_app.domain.inbound_mail import Confirmation

_LONGEST = 20_000
_LINK = re.compile(r"https://[^\s<>\"'\])}]{1,2000}")
_CODE = re.compile(r"(?<![\w/=-])\d{6,9}(?![\w/=-])")
_GMAIL = "google.com"
_GMAIL_HOSTS = ("mail-settings.google.com", "mail.google.com")
_GMAIL_PATH = "/mail/vf-"

_FORWARDING = re.compile(
    r"forward|weiterleit|transfert|redirection|reenv|inoltr|doorst|przekaz|přesměr|vidarebefordr", re.IGNORECASE
)
_CONFIRMING = re.compile(
    r"confirm|verif|vérif|best[äa]tig|conferm|bevestig|potwierd|weryfik|potvr|bekräft|code|kod", re.IGNORECASE
)


def find_confirmation(sender: str | None, subject: str, text: str) -> Confirmation | None:
    """The code and the link in a mail that asks for a confirmation of forwarding; None if it does not.

    A link counts only if it leads to the mail program of the sender. The sender need not be proved: who forges such a
    mail gets nothing but its own mail forwarded.
    """
    domain = (sender or "").rpartition("@")[2].lower()
    text = text[:_LONGEST]
    links = [link for link in _LINK.findall(text) if _leads_to(link, domain)]
    if domain == _GMAIL:
        gmail = next((link for link in links if _is_gmails(link)), None)
        code = _CODE.search(subject) or _CODE.search(text)
        return Confirmation("Gmail", code and code[0], gmail) if gmail or _is_question(subject) else None
    if not domain or not _is_question(subject):
        return None
    code = _CODE.search(subject) or _CODE.search(_LINK.sub(" ", text))
    if code is None and not links:
        return None
    return Confirmation(domain, code and code[0], links[0] if links else None)


def _is_question(subject: str) -> bool:
    return bool(_FORWARDING.search(subject) and _CONFIRMING.search(subject))


def _is_gmails(link: str) -> bool:
    parts = urlsplit(link)
    return parts.hostname in _GMAIL_HOSTS and parts.path.startswith(_GMAIL_PATH)


def _leads_to(link: str, domain: str) -> bool:
    try:
        host = urlsplit(link).hostname or ""
    except ValueError:
        return False
    return bool(domain) and (host == domain or host.endswith("." + domain))
