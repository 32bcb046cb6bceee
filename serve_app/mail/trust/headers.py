"""The few headers that the verdicts need, read without the mail library, which fails on malformed headers."""

import re

MOST_BYTES = 256 * 1024
"""How much of a mail's headers is looked at."""
_LONGEST = 8 * 1024

_FOLDED = re.compile(rb"\r?\n[ \t]+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)')
_ADDRESS = re.compile(r"[^\s<>\"(),;:\\@]{1,256}@[A-Za-z0-9.\-\u0080-\uffff]{1,255}")


def values_of(raw: bytes, name: str) -> list[str]:
    """The unfolded values of the headers with this name, topmost first, each cut at 8 kB."""
    block = re.split(rb"\r?\n\r?\n", raw[:MOST_BYTES], maxsplit=1)[0]
    prefix = name.lower().encode() + b":"
    lines = _FOLDED.sub(b" ", block).splitlines()
    found = (line[len(prefix) :] for line in lines if line[: len(prefix)].lower() == prefix)
    return [value[:_LONGEST].decode("utf-8", "replace").strip() for value in found]


def sender_of(raw: bytes) -> str:
    """The address in `From`, in lower case; empty unless there is one `From` with one address, because what one program
    takes for the sender is not what the next one shows."""
    headers = values_of(raw, "From")
    return address_in(headers[0]) if len(headers) == 1 else ""


def address_in(header: str) -> str:
    """The address in a header, in lower case; empty unless there is exactly one."""
    text = _QUOTED.sub(" ", header)
    candidates = re.findall(r"<([^<>]*)>", text) or [text]
    found = [address for part in candidates for address in _ADDRESS.findall(part)]
    return found[0].lower().rstrip(".") if len(found) == 1 else ""
