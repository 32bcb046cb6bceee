"""Mails that came in: their states, and what became of each of their parts."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from serve_app.domain.ids import derived_id
from serve_app.domain.invoice import Invoice

SAME_FILE_WINDOW = timedelta(days=90)
"""How long a file is recognised that comes again by mail."""
LOGO_MAILS = 3
"""In so many mails of a sender, within SAME_FILE_WINDOW, a picture is a logo."""
AUTOMATIC_LIFE = timedelta(days=2)
"""How long mails that the service wrote by itself are counted."""
PEER_LIFE = timedelta(days=7)
"""How long the sending server's IP address is kept."""


ANSWER_MARK = "answer-of-invoices"
"""In the Message-ID of every answer to a mail."""


class Way(StrEnum):
    """How a mail came in."""

    SMTP = "smtp"
    LMTP = "lmtp"
    HTTP = "http"
    IMAP = "imap"


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where a mail came from and whom it is for, as the way in knows it. `sender` is that of bounces, empty for none;
    `peer` is the IP address and `helo` the name of the server that handed it over, if they are known."""

    recipient: str
    way: Way
    sender: str = ""
    peer: str | None = None
    helo: str | None = None


class MailState(StrEnum):
    ARRIVING = "arriving"
    """Its bytes are being written: not accepted yet, and shown to nobody."""
    QUEUED = "queued"
    """It is accepted and is to be taken apart."""
    HELD = "held"
    READING = "reading"
    """Its documents have become invoices, not all of which are finished."""
    DONE = "done"
    DISCARDED = "discarded"
    PENDING_DELETION = "doomed"
    """Its bytes are being deleted, and then its row."""


class HeldFor(StrEnum):
    """Only held mails that wait for this."""

    SENDER = "sender"
    """A person who decides about its sender."""
    QUOTA = "quota"
    """The next month, or a larger plan; it goes on by itself."""


class Outcome(StrEnum):
    """What became of a part of a mail."""

    INVOICE = "invoice"
    SAME_FILE = "same_file"
    """The account has the same file already, as `invoice_id`; it was not read again."""
    WAITING = "waiting"
    """A document that becomes an invoice once its mail is no longer held."""
    IGNORED = "ignored"
    UNPACKED = "unpacked"
    """It contains further parts, which follow."""
    LINKS = "links"
    """A text with links, which the service never opens by itself."""
    ATTACHMENT_MISSING = "attachment_missing"
    """A text that says that an invoice is attached, in a mail without a file."""
    XML_ONLY = "xml_only"
    """An electronic invoice without a picture for people."""
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - the name of an outcome
    """A file in an archive with a password. A PDF with one becomes an invoice that waits for it."""
    ENCRYPTED_MAIL = "encrypted_mail"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    """It is beyond the most parts, or the deepest nesting, that are looked at."""
    UNREADABLE = "unreadable"
    ERASED = "erased"
    """Its invoice was deleted."""


FAILURES = frozenset(
    {
        Outcome.ATTACHMENT_MISSING, Outcome.XML_ONLY, Outcome.NEEDS_PASSWORD, Outcome.ENCRYPTED_MAIL,
        Outcome.UNSUPPORTED, Outcome.TOO_LARGE, Outcome.TOO_MANY, Outcome.UNREADABLE,
    }
)  # fmt: skip
"""Outcomes that the sender can do something about."""
LEFT_OUT = frozenset({Outcome.SAME_FILE, Outcome.IGNORED, Outcome.LINKS, Outcome.ATTACHMENT_MISSING})
"""Outcomes of parts that a person may have read all the same."""


@dataclass(frozen=True, slots=True)
class MailPart:
    """A part of a mail. `path` names it within the mail: `1.2` is the second part of the first, and what a part
    contains has longer paths. `reason` says in words why it has this outcome; `mime_type` is what its bytes are, or
    else what the mail calls them; `sha256` is that of its bytes, in hexadecimal.
    """

    path: str
    outcome: Outcome
    reason: str = ""
    name: str | None = None
    mime_type: str | None = None
    size: int = 0
    sha256: str | None = None
    invoice_id: UUID | None = None
    is_wanted: bool = False
    """A person has said that it is to be read all the same."""
    links: tuple[str, ...] = ()
    is_fetched: bool = False
    """A person has had it fetched from a link of the part that contains it."""
    is_locked: bool = False
    """It is protected with a password: its invoice waits until somebody enters it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who sent a mail, as far as it was proved. It is shown, and nothing is refused because of it.

    `identities` are the addresses (`anna@example.com`) and domains (`example.com`) that were authenticated; `words`
    says for people what was checked, one line each.
    """

    identities: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """What a mail says about itself, cut to what can be shown. Nothing of it is proved."""

    sender: str | None = None
    sender_name: str = ""
    subject: str = ""
    message_id: str | None = None
    sent_at: str = ""
    is_automatic: bool = False
    """It is from a robot or a list, or is an answer or a bounce: never answered."""
    original_sender: str | None = None
    """Who wrote the mail that was forwarded in it as an attachment."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A mail program's question whether forwarding to the address is wanted: its code, and the link that says yes."""

    provider: str
    code: str | None = None
    link: str | None = None


class Decision(StrEnum):
    """What is done with a mail because of its sender."""

    ADMIT = "admit"
    HOLD = "hold"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class SenderDecision:
    """What was found out about a mail's sender, and what follows from it by the rules of the address."""

    decision: Decision
    verdict: Verdict | None = None
    confirmation: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class InboundMail:
    """One row of the store, which is also the queue of mails.

    `fingerprint` is unique for an address. `due_at` is when it is to be worked on: the end of a worker's lease while
    there is one, None if nothing is to be done. `care_at` is when something is to be removed from it. `revision`
    grows with every write, and a write that was based on an older one changes nothing. `claims` counts workers that
    took it up and did not write a result.
    """

    id: UUID
    account_id: UUID
    address_id: UUID
    fingerprint: str
    state: MailState
    received_at: datetime
    size: int
    envelope: Envelope
    due_at: datetime | None = None
    care_at: datetime | None = None
    revision: int = 0
    claims: int = 0
    held_for: HeldFor | None = None
    is_admitted: bool = False
    """A person has accepted its sender, at least for this mail."""
    entity_tag: str | None = None
    heading: Heading = Heading()
    verdict: Verdict | None = None
    confirmation: Confirmation | None = None
    parts: tuple[MailPart, ...] = ()
    has_raw: bool = True
    answered_at: datetime | None = None
    problems: int = 0
    """How many of its parts came to nothing, invoices that could not be read included; 0 before it is done, and once a
    person has settled them."""
    is_settled: bool = False
    """A person has said that nothing more is to be done about its problems."""

    @property
    def file_key(self) -> str:
        """Where its bytes are."""
        return mail_key_of(self.account_id, self.id)

    def part(self, path: str) -> MailPart | None:
        return next((part for part in self.parts if part.path == path), None)

    def with_part(self, changed: MailPart) -> "InboundMail":
        """The mail with this part in the place of the one with the same path."""
        return replace(self, parts=tuple(changed if part.path == changed.path else part for part in self.parts))

    def with_fetched(self, path: str, invoice: Invoice) -> "InboundMail":
        """The mail with an invoice whose file was fetched from a link of the part at this path."""
        number = 1 + sum(part.is_fetched and part.path.rpartition(".")[0] == path for part in self.parts)
        file = invoice.file
        part = MailPart(
            f"{path}.{number}",
            Outcome.INVOICE,
            "Fetched from a link.",
            file.name,
            file.mime_type,
            file.size_bytes or 0,
            invoice_id=invoice.id,
            is_fetched=True,
        )
        return replace(self, parts=(*self.parts, part))


@dataclass(frozen=True, slots=True)
class MailDocument:
    """A file that came by mail: the part of the mail that was first to bring it, and its invoice."""

    account_id: UUID
    sha256: str
    mail_id: UUID
    path: str
    invoice_id: UUID
    received_at: datetime


@dataclass(frozen=True, slots=True)
class DayLimits:
    """Most mails, and most of their bytes, that an address takes in a day (UTC)."""

    mails: int
    size: int


@dataclass(frozen=True, slots=True)
class MailQuery:
    """Which mails to list; None matches any value. `words` matches part of the subject, of a sender, or of the name of
    a file, whatever the case; `has_problems` those with problems, `awaits_answer` those whose sender is still to be
    told of one, `outcome` those with a part that came to this."""

    state: MailState | None = None
    held_for: HeldFor | None = None
    address_id: UUID | None = None
    words: str | None = None
    has_problems: bool = False
    awaits_answer: bool = False
    outcome: Outcome | None = None


MAILS = "mails"
"""The folder of the bytes of mails. No account has this name."""


def mail_key_of(account_id: UUID, mail_id: UUID) -> str:
    """Where the bytes of a mail are kept."""
    return f"{MAILS}/{account_id}/{mail_id}"


def invoice_id_of(mail_id: UUID, path: str, received_at: datetime) -> UUID:
    """The id of the invoice of a part: always the same, so that a document is submitted once however often its mail is
    taken apart. Like every id (UUIDv7) it begins with a time: that at which the mail was received."""
    return derived_id(received_at, f"{mail_id}/{path}")
