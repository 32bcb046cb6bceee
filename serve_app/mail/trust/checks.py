"""The results of the methods that find out whether a mail comes from where it says, in the words of RFC 8601."""

from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    SPF = "spf"
    DKIM = "dkim"
    DMARC = "dmarc"
    ARC = "arc"


class Result(StrEnum):
    """`none`: there was nothing to check."""

    PASS = "pass"  # noqa: S105 - the RFC's word
    FAIL = "fail"
    SOFTFAIL = "softfail"
    NEUTRAL = "neutral"
    NONE = "none"
    TEMPERROR = "temperror"
    PERMERROR = "permerror"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one method for a domain, with the reason where there is one to tell."""

    method: Method
    result: Result
    domain: str = ""
    reason: str = ""

    @property
    def words(self) -> str:
        """For a person: `DKIM: pass for example.com`."""
        text = f"{self.method.upper()}: {self.result}" + (f" for {self.domain}" if self.domain else "")
        return f"{text} ({self.reason})" if self.reason else text
