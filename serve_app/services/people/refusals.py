"""Why signing in, or a change of people, is refused."""

from enum import Enum, auto


class Refusal(Enum):
    """Why somebody is not signed in."""

    UNUSABLE_LINK = auto()
    """Unknown, used or expired."""
    OTHER_BROWSER = auto()
    """The link of a mail that another browser asked for."""
    WRONG_CODE = auto()
    """Wrong or expired, or after too many wrong ones."""
    TOO_MANY_TRIES = auto()
    """As the three before, after many failures from the same network in this hour."""
    TOO_MANY_MAILS = auto()
    """Too many mails to this address were asked for in this hour."""
    UNKNOWN_PERSON = auto()
    """The identity provider vouches for an address that nobody here has."""
    UNVERIFIED_ADDRESS = auto()
    """The identity provider does not vouch for the address."""
    OTHER_IDENTITY = auto()
    """The identity provider vouches for the address of a person whom it knew by another id before."""
    PROVIDER_FAILED = auto()
    """The identity provider is out of reach, refused, or its answer cannot be trusted."""


class SignInRefused(Exception):
    """Nobody was signed in."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


class LastOwnerStays(Exception):
    """An account keeps at least one owner: nothing was changed."""


class TooManyInvitations(Exception):
    """The account has invited as many people as it may in this hour."""
