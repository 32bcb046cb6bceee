"""Why a mail is not accepted. Each way in says so in its own words; `Unavailable` means to try again later."""

from enum import StrEnum


class Refusal(StrEnum):
    UNKNOWN_ADDRESS = "unknown_address"
    ADDRESS_CHANGED = "address_changed"
    """The address was retired, or its replacement is older than `OLD_ADDRESS_LIFE`."""
    OVER_RATE = "over_rate"
    """The address has taken as much as it may today; the sender should try again later."""
    TOO_LARGE = "too_large"
    LOOP = "loop"
    """It has passed through too many servers, or is an answer of this service."""

    @property
    def is_permanent(self) -> bool:
        """Whether trying again is of no use."""
        return self is not Refusal.OVER_RATE


class MailRefused(Exception):
    """The mail is not accepted, and nothing of it was kept."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
