"""Private mail addresses: whoever knows one can send documents to its account."""

import base64
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

OLD_ADDRESS_LIFE = timedelta(days=30)
"""How long an address still takes mail after another one has replaced it."""
MAX_TAG_LENGTH = 60
"""Characters of an entity tag, as everywhere."""
_RANDOM_BYTES = 10
_PREFIX_LENGTH = 24
_NO_PREFIX = "invoices"
_NOT_IN_PREFIX = re.compile(r"[^a-z0-9]+")


class SenderPolicy(StrEnum):
    """Whose mail is taken apart at once; that of others is held until a person decides."""

    ANYONE = "anyone"
    """The address itself is the secret."""
    KNOWN = "known"
    """The account's people, and those in `allowed`."""
    LISTED = "listed"
    """Those in `allowed` only."""


class Bodies(StrEnum):
    """Whether the text of a mail is a document."""

    NEVER = "never"
    ALONE = "alone"
    """If the mail has no other document and the text reads like an invoice."""
    ALWAYS = "always"


class Answering(StrEnum):
    """Which mails are answered, to senders that have been authenticated."""

    NEVER = "never"
    FAILURES = "failures"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class MailAddress:
    """One of an account's private addresses; `local` is what precedes the @ sign, in lower case.

    `allowed` and `denied` are addresses (`anna@example.com`) and domains (`example.com`) of senders. `ends_at` is when
    it takes no more mail, because another one has replaced it or it was retired. `revision` grows with every change.
    """

    id: UUID
    account_id: UUID
    local: str
    created_at: datetime
    label: str = ""
    entity_tag: str | None = None
    policy: SenderPolicy = SenderPolicy.ANYONE
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    bodies: Bodies = Bodies.ALONE
    answering: Answering = Answering.FAILURES
    ignored_pictures: tuple[str, ...] = ()
    """SHA-256 of pictures that people have said are no documents, in hexadecimal."""
    ends_at: datetime | None = None
    revision: int = 0

    def takes_mail_at(self, moment: datetime) -> bool:
        """Whether mail to it is accepted at this moment."""
        return self.ends_at is None or moment < self.ends_at


def new_local(prefix: str) -> str:
    """A local part that cannot be guessed: a readable prefix and 80 random bits in base 32."""
    readable = _NOT_IN_PREFIX.sub("-", prefix.lower()).strip("-")[:_PREFIX_LENGTH].strip("-")
    code = base64.b32encode(secrets.token_bytes(_RANDOM_BYTES)).decode("ascii").lower()
    return f"{readable or _NO_PREFIX}-{code}"


def split_address(address: str) -> tuple[str, str | None, str]:
    """The local part, the tag after its first plus sign, and the host of an address, in lower case except the tag. The
    host is empty if there is none."""
    local, at, host = address.strip().rpartition("@")
    if not at:
        local, host = host, ""
    name, plus, tag = local.partition("+")
    return name.lower(), tag if plus and tag else None, host.lower().rstrip(".")
