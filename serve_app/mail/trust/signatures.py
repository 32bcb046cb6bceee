"""Signatures in a mail: DKIM (RFC 6376) and ARC (RFC 8617)."""

from collections.abc import Sequence

import dkim

from serve_app.mail.trust.checks import Check, Method, Result
from serve_app.mail.trust.dns import Dns, DnsUnavailable

MOST = 5
"""How many signatures of a mail are checked: each costs a look-up, and reads the whole mail."""

_MALFORMED = "a header is malformed"
# The second, of a mail that begins with the continuation of a header.
_UNREADABLE = (dkim.MessageFormatError, IndexError)


def check_dkim(raw: bytes, names: Dns) -> list[Check]:
    """The result for each signature, topmost first; one that says `none` if there are none."""
    try:
        found = dkim.DKIM(raw)
    except _UNREADABLE:
        return [Check(Method.DKIM, Result.PERMERROR, reason=_MALFORMED)]
    count = sum(name.lower() == b"dkim-signature" for name, _ in found.headers)
    if not count:
        return [Check(Method.DKIM, Result.NONE)]
    return [_check(found, index, names) for index in range(min(count, MOST))]


def _check(found: "dkim.DKIM", index: int, names: Dns) -> Check:
    try:
        is_good = found.verify(idx=index, dnsfunc=_Texts(names))
    except DnsUnavailable:
        return Check(Method.DKIM, Result.TEMPERROR, _domain(found), "the name server does not answer")
    # The library fails in many ways on malformed signatures.
    except Exception:
        return Check(Method.DKIM, Result.FAIL, _domain(found))
    fields = found.signature_fields
    if not is_good:
        return Check(Method.DKIM, Result.FAIL, _domain(found))
    if b"from" not in {name.lower().strip() for name in fields[b"h"].split(b":")}:
        return Check(Method.DKIM, Result.NEUTRAL, _domain(found), "the sender is not signed")
    # Anybody can append a document to a mail whose end is not signed.
    if b"l" in fields:
        return Check(Method.DKIM, Result.NEUTRAL, _domain(found), "only a part of the mail is signed")
    return Check(Method.DKIM, Result.PASS, _domain(found))


def check_arc(raw: bytes, names: Dns) -> Check:
    """The result for the chain that forwarding servers have left."""
    try:
        chain = dkim.ARC(raw)
    except _UNREADABLE:
        return Check(Method.ARC, Result.PERMERROR, reason=_MALFORMED)
    seals: Sequence[bytes] = [value for name, value in chain.headers if name.lower() == b"arc-seal"]
    if not seals:
        return Check(Method.ARC, Result.NONE)
    if len(seals) > MOST:
        return Check(Method.ARC, Result.FAIL, reason="the chain is too long")
    try:
        validity, steps, _ = chain.verify(dnsfunc=_Texts(names))
    except DnsUnavailable:
        return Check(Method.ARC, Result.TEMPERROR, reason="the name server does not answer")
    except Exception:
        return Check(Method.ARC, Result.FAIL)
    domain = _text(steps[0].get("as-domain", b"")) if steps else ""
    return Check(Method.ARC, Result.PASS if validity == dkim.CV_Pass else Result.FAIL, domain)


class _Texts:
    """The library's way to ask for a key."""

    def __init__(self, names: Dns) -> None:
        self._names = names

    def __call__(self, name: bytes, timeout: int = 0) -> bytes | None:
        texts = self._names.txt(_text(name))
        return texts[0] if texts else None


def _domain(found: "dkim.DKIM") -> str:
    return _text(found.signature_fields.get(b"d", b""))


def _text(data: bytes) -> str:
    return data.decode("ascii", "replace").strip().rstrip(".").lower()
