"""What the screens of mails show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from serve_app.domain.inbound_mail import (
    LEFT_OUT,
    HeldFor,
    InboundMail,
    MailPart,
    MailQuery,
    MailState,
    Outcome,
)
from serve_app.domain.invoice import Failure, FailureCode, Invoice
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.mail_result import MailResult
from serve_app.web.query_parameters import id_of, one_of, path_with

LIST = "/app/mail"
PAGE = 50


class Shown(StrEnum):
    """Which mails the list shows."""

    PROBLEMS = "problems"
    HELD = "held"
    WORKING = "reading"
    DONE = "done"
    DISCARDED = "discarded"


SHOWN: Mapping[Shown, str] = {
    Shown.PROBLEMS: "With problems",
    Shown.HELD: "Held",
    Shown.WORKING: "Being read",
    Shown.DONE: "Done",
    Shown.DISCARDED: "Discarded",
}


@dataclass(frozen=True, slots=True)
class Label:
    """A state in a word, with its tone and icon; see `ui.state`."""

    word: str
    tone: str
    icon: str


_STATES: Mapping[MailState, Label] = {
    MailState.QUEUED: Label("Waiting", "busy", "clock"),
    MailState.READING: Label("Being read", "busy", "refresh-cw"),
    MailState.DISCARDED: Label("Discarded", "quiet", "trash-2"),
}
_OUTCOMES: Mapping[Outcome, Label] = {
    Outcome.INVOICE: Label("Invoice", "good", "file-text"),
    Outcome.SAME_FILE: Label("Duplicate file", "quiet", "files"),
    Outcome.WAITING: Label("Waiting", "busy", "clock"),
    Outcome.IGNORED: Label("Ignored", "quiet", "circle-dashed"),
    Outcome.UNPACKED: Label("Unpacked", "quiet", "inbox"),
    Outcome.LINKS: Label("Links", "quiet", "external-link"),
    Outcome.ATTACHMENT_MISSING: Label("Attachment missing", "warn", "circle-alert"),
    Outcome.XML_ONLY: Label("Electronic invoice only", "warn", "code"),
    Outcome.NEEDS_PASSWORD: Label("Needs a password", "warn", "key-round"),
    Outcome.ENCRYPTED_MAIL: Label("Encrypted", "warn", "shield"),
    Outcome.UNSUPPORTED: Label("Cannot be read", "warn", "circle-alert"),
    Outcome.TOO_LARGE: Label("Too large", "warn", "circle-alert"),
    Outcome.TOO_MANY: Label("Too many parts", "warn", "circle-alert"),
    Outcome.UNREADABLE: Label("Cannot be read", "bad", "triangle-alert"),
    Outcome.ERASED: Label("Deleted", "quiet", "trash-2"),
}
_NOT_READ = Label("Cannot be read", "bad", "triangle-alert")
_WORDS_LENGTH = 200
_PICTURES = "image/"


def state_of(mail: InboundMail, result: MailResult) -> Label:
    """What has become of a mail so far: one whose invoices are all finished is finished, too."""
    if mail.state is MailState.HELD:
        if mail.held_for is HeldFor.QUOTA:
            return Label("Monthly limit reached", "warn", "pause")
        return Label("Held", "warn", "pause")
    if result.is_finished:
        return _finished(mail, result)
    return _STATES.get(mail.state, _STATES[MailState.QUEUED])


def _finished(mail: InboundMail, result: MailResult) -> Label:
    if result.problems and not mail.is_settled:
        is_all = not (result.invoices or result.known)
        return Label("Failed", "bad", "triangle-alert") if is_all else Label("With problems", "warn", "circle-alert")
    if result.is_empty:
        return Label("No document", "quiet", "circle-dashed")
    return Label("Resolved" if result.problems else "Done", "good", "circle-check")


def describe_result(result: MailResult) -> str:
    """What the mail came to, in a few words."""
    counts = (
        (result.invoices, "invoice", "invoices"),
        (result.open, "being read", "being read"),
        (len(result.problems), "problem", "problems"),
        (result.known, "duplicate file", "duplicate files"),
    )
    return ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count) or "–"


def outcome_of(part: MailPart) -> Label:
    """What has become of a part."""
    return _OUTCOMES[part.outcome]


def is_moving(mail: InboundMail, result: MailResult) -> bool:
    """Whether it changes by itself soon."""
    return mail.state in (MailState.QUEUED, MailState.READING) and not result.is_finished


@dataclass(frozen=True, slots=True)
class MailFilters:
    """What the address of the list asks for."""

    state: str = ""
    address: str = ""
    q: str = ""

    def query(self) -> MailQuery:
        """Raises InvalidParameter."""
        shown = one_of(Shown, self.state)
        has_problems = shown is Shown.PROBLEMS
        state = MailState(shown) if shown and not has_problems else None
        words = self.q.strip()[:_WORDS_LENGTH] or None
        return MailQuery(state=state, address_id=id_of(self.address), words=words, has_problems=has_problems)

    def path(self, after: object = "") -> str:
        return path_with(LIST, state=self.state, address=self.address, q=self.q, after=after)

    @property
    def is_filtered(self) -> bool:
        return bool(self.state or self.address or self.q)


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail in the list. `result` says what it came to, `why` what went wrong first."""

    mail: InboundMail
    state: Label
    address: str
    result: str
    why: str


def rows_of(
    mails: Sequence[InboundMail], results: Sequence[MailResult], addresses: Sequence[MailAddress]
) -> list[MailRow]:
    """The rows of a list."""
    names = {address.id: name_of(address) for address in addresses}
    return [
        MailRow(
            mail, state_of(mail, result), names.get(mail.address_id, ""), describe_result(result), _why(mail, result)
        )
        for mail, result in zip(mails, results, strict=True)
    ]


def _why(mail: InboundMail, result: MailResult) -> str:
    if not result.problems or mail.is_settled:
        return ""
    first = result.problems[0]
    return f"{first.name}: {first.reason}"


def name_of(address: MailAddress) -> str:
    """What to call an address in a narrow place."""
    return address.label or address.local


@dataclass(slots=True)
class PartNode:
    """A part with those that it contains."""

    part: MailPart
    label: Label
    failure: str = ""
    """Why its invoice could not be read."""
    needs_password: bool = False
    """Its invoice waits for the password of its file."""
    inside: list["PartNode"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What to call it: most texts of mails have no name."""
        kind = self.part.mime_type or ""
        return self.part.name or ("Text of the e-mail" if kind.startswith("text/") else kind or "Part of the e-mail")

    @property
    def can_be_read_anyway(self) -> bool:
        """Whether somebody may say that it is to be read although it was left out."""
        return self.part.outcome in LEFT_OUT

    @property
    def is_picture(self) -> bool:
        """Whether it can be left out of later mails."""
        return bool(self.part.sha256) and (self.part.mime_type or "").startswith(_PICTURES)


def tree_of(parts: Sequence[MailPart], invoices: Mapping[UUID, Invoice]) -> list[PartNode]:
    """The parts, each below the one that contains it, with what has become of their invoices."""
    nodes = {part.path: _node_of(part, _failure(part, invoices)) for part in sorted(parts, key=_place)}
    roots: list[PartNode] = []
    for path, node in nodes.items():
        above = _above(path, nodes)
        (above.inside if above else roots).append(node)
    return roots


def _failure(part: MailPart, invoices: Mapping[UUID, Invoice]) -> Failure | None:
    invoice = invoices.get(part.invoice_id) if part.invoice_id else None
    return None if invoice is None or part.outcome is not Outcome.INVOICE else invoice.failure


def _node_of(part: MailPart, failure: Failure | None) -> PartNode:
    if failure is None:
        return PartNode(part, outcome_of(part))
    if failure.code is FailureCode.DOCUMENT_ENCRYPTED:
        return PartNode(part, _OUTCOMES[Outcome.NEEDS_PASSWORD], needs_password=True)
    return PartNode(part, _NOT_READ, failure=failure.message)


def _above(path: str, nodes: Mapping[str, PartNode]) -> PartNode | None:
    """The part that contains it: levels that are only there to hold others together are no parts."""
    while "." in path:
        path = path.rpartition(".")[0]
        if path in nodes:
            return nodes[path]
    return None


def _place(part: MailPart) -> list[int]:
    return [int(number) if number.isdecimal() else 0 for number in part.path.split(".")]


def senders_of(mail: InboundMail) -> list[str]:
    """Whom "always" could mean: what was proved, the sender that people see first."""
    proved = list(mail.verdict.identities) if mail.verdict else []
    return sorted(proved, key=lambda identity: identity != (mail.heading.sender or "").lower())
