"""DMARC: whether what was proved belongs to the domain in `From` (RFC 7489)."""

from collections.abc import Sequence
from functools import cache

from publicsuffixlist import PublicSuffixList

from serve_app.mail.trust.checks import Check, Method, Result
from serve_app.mail.trust.dns import Dns, DnsUnavailable


def check_dmarc(sender: str, proved: Sequence[Check], names: Dns) -> Check:
    """The result for the domain of `sender`, by what SPF and DKIM have proved. If the domain publishes no policy,
    relaxed alignment is asked for, and the reason says so: such a mail can be as genuine as another."""
    domain = sender.rpartition("@")[2]
    if not domain:
        return Check(Method.DMARC, Result.PERMERROR, reason="the mail names no single sender")
    try:
        policy = _policy(domain, names)
    except DnsUnavailable:
        return Check(Method.DMARC, Result.TEMPERROR, domain, "the name server does not answer")
    aligned = any(_is_aligned(domain, check, policy) for check in proved if check.result is Result.PASS)
    if aligned:
        return Check(Method.DMARC, Result.PASS, domain, "" if policy else "no policy published")
    return Check(Method.DMARC, Result.FAIL if policy else Result.NONE, domain)


def organisation(domain: str) -> str:
    """The part of a domain that somebody has registered: `example.co.uk` of `mail.example.co.uk`."""
    return _suffixes().privatesuffix(domain) or domain


def _is_aligned(domain: str, check: Check, policy: dict[str, str]) -> bool:
    mode = policy.get("aspf" if check.method is Method.SPF else "adkim", "r")
    if mode == "s":
        return check.domain == domain
    return organisation(check.domain) == organisation(domain)


def _policy(domain: str, names: Dns) -> dict[str, str]:
    """The tags of the domain's record, or of its organisation's; empty if there is none."""
    for name in dict.fromkeys((domain, organisation(domain))):
        records = [text for text in names.txt(f"_dmarc.{name}") if text.startswith(b"v=DMARC1")]
        if len(records) == 1:
            return _tags(records[0].decode("ascii", "replace"))
    return {}


def _tags(record: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in record.split(";"))
    return {name.strip().lower(): value.strip().lower() for name, _, value in pairs if name.strip()}


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
