"""SPF: whether the envelope's domain lets this peer send (RFC 7208)."""

import ipaddress

import spf

from serve_app.domain.inbound_mail import Envelope
from serve_app.mail.trust.checks import Check, Method, Result
from serve_app.mail.trust.dns import Dns, DnsUnavailable
from serve_app.net.addresses import is_public

_SECONDS = 8


def check_spf(envelope: Envelope, names: Dns) -> Check:
    """The result for the envelope's sender, or for the greeting if that is empty. There is none if the mail did not
    come from the sender's own server: by HTTP, from a mailbox, or through a server of this network."""
    domain = (envelope.sender.rpartition("@")[2] or envelope.helo or "").lower()
    if envelope.peer is None or not _is_public(envelope.peer):
        return Check(Method.SPF, Result.NONE, domain, "the sender's server is not known")
    try:
        result, _, reason = _Query(envelope, names).check()
    # The library fails on some envelopes that no server should send.
    except Exception:
        return Check(Method.SPF, Result.PERMERROR, domain)
    is_wrong = result in (Result.PERMERROR, Result.TEMPERROR)
    return Check(Method.SPF, Result(result), domain, str(reason) if is_wrong else "")


def _is_public(peer: str) -> bool:
    try:
        return is_public(ipaddress.ip_address(peer))
    except ValueError:
        return False


class _Query(spf.query):  # type: ignore[misc]
    """The library's, which asks the name server by way of `names`."""

    def __init__(self, envelope: Envelope, names: Dns) -> None:
        super().__init__(i=envelope.peer, s=envelope.sender, h=envelope.helo or "", querytime=_SECONDS)
        self._names = names

    def dns(self, name: str, qtype: str, cnames: object = None, ignore_void: bool = False) -> list[object]:
        """The records in the library's form. It raises the library's errors."""
        try:
            found = self._records(str(name).rstrip("."), qtype)
        except DnsUnavailable:
            raise spf.TempError("the name server does not answer") from None
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many names without records")
        return found

    def _records(self, name: str, qtype: str) -> list[object]:
        match qtype:
            case "TXT":
                return [(text,) for text in self._names.txt(name)]
            case "MX":
                return list(self._names.mx(name))
            case "A" | "AAAA":
                return [ipaddress.ip_address(host) for host in self._names.hosts(name, qtype)]
            case "PTR":
                return list(self._names.hosts(name, qtype))
            case _:
                return []
