"""Whether mails from outside reach this service."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, whether it is as it should be (None: it does not matter here), and what was
    found, for a person."""

    what: str
    is_good: bool | None
    words: str
