"""The checks of a server in front, from its `Authentication-Results` (RFC 8601)."""

from collections.abc import Iterator

import authres

from serve_app.mail.trust.checks import Check, Method, Result
from serve_app.mail.trust.headers import values_of

_PROPERTIES = {
    Method.SPF: (("smtp", "mailfrom"), ("smtp", "helo")),
    Method.DKIM: (("header", "d"), ("header", "i")),
    Method.DMARC: (("header", "from"),),
    Method.ARC: (),
}


def checks_of(raw: bytes, authserv_id: str) -> tuple[list[Check], str] | None:
    """The checks, and the envelope's sender that SPF has passed, from the topmost header; None unless that is of
    `authserv_id`. Only the topmost counts: what a sender has forged stands below what the server in front adds."""
    headers = values_of(raw, "Authentication-Results")
    if not headers:
        return None
    try:
        header = authres.all_features().parse(f"Authentication-Results: {headers[0]}")
    # The library raises errors of several kinds on what it cannot read.
    except Exception:
        return None
    if str(header.authserv_id).lower() != authserv_id.lower():
        return None
    checks = list(_checks(header))
    return checks, _passed_sender(header)


def _checks(header: "authres.AuthenticationResultsHeader") -> Iterator[Check]:
    for found in header.results:
        try:
            method, result = Method(found.method.lower()), Result(found.result.lower())
        # Other methods and words, and the header that says `none`.
        except (ValueError, AttributeError):
            continue
        values = (_value(found, *place) for place in _PROPERTIES[method])
        named = next((value for value in values if value), "")
        yield Check(method, result, named.rpartition("@")[2])


def _passed_sender(header: "authres.AuthenticationResultsHeader") -> str:
    passed = (found for found in header.results if getattr(found, "method", "") == "spf" and found.result == "pass")
    return next((_value(found, "smtp", "mailfrom") for found in passed), "")


def _value(found: "authres.AuthenticationResult", kind: str, name: str) -> str:
    values = (str(each.value or "") for each in found.properties if (each.type, each.name) == (kind, name))
    return next(values, "").lower()
