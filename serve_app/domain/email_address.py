"""E-mail addresses."""

import re

import idna

MAX_ADDRESS_LENGTH = 254
"""Characters (RFC 3696, erratum 1690)."""
_MAX_LOCAL_LENGTH = 64

# What HTML's `<input type=email>` accepts (WHATWG, "valid email address"), except dots that mail servers refuse.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@{_LABEL}(?:\.{_LABEL})*")


def is_email_address(text: str) -> bool:
    """Whether `text` is one plain address, `name@host`: ASCII, no display name, comment, quotes or space, and nothing
    that is decoded to another text in a mail header (`=?`, RFC 2047)."""
    if len(text) > MAX_ADDRESS_LENGTH or "=?" in text:
        return False
    found = _ADDRESS.fullmatch(text)
    return found is not None and len(found[1]) <= _MAX_LOCAL_LENGTH


def mail_server_form(text: str) -> str | None:
    """The address as mail servers take it: its host in ASCII (IDNA), as `boss@xn--bcher-kva.example` for
    `boss@bücher.example`. None if it is not an address; a local part beyond ASCII is not, since many servers refuse
    it."""
    local, at, host = text.rpartition("@")
    if text.isascii() or not at or len(text) > MAX_ADDRESS_LENGTH:
        return text if is_email_address(text) else None
    try:
        address = f"{local}@{idna.encode(host, uts46=True).decode('ascii')}"
    except UnicodeError:
        return None
    return address if is_email_address(address) else None
