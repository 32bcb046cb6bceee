"""What the screens of mails show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from serve_app.domain.inbound_mail import (
    FAILURES,
    LEFT_OUT,
    HeldFor,
    InboundMail,
    MailPart,
    MailQuery,
    MailState,
    Outcome,
)
from serve_app.domain.mail_address import MailAddress
from serve_app.web.asking import id_of, one_of, path_with

LIST = "/app/mail"
PAGE = 50


class Shown(StrEnum):
    """Which mails the list shows."""

    HELD = "held"
    WORKING = "reading"
    DONE = "done"
    DISCARDED = "discarded"


SHOWN: Mapping[Shown, str] = {
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
    MailState.QUEUED: Label("Arrived", "busy", "clock"),
    MailState.READING: Label("Being read", "busy", "refresh-cw"),
    MailState.DISCARDED: Label("Discarded", "quiet", "trash-2"),
}
_OUTCOMES: Mapping[Outcome, Label] = {
    Outcome.INVOICE: Label("Invoice", "good", "file-text"),
    Outcome.SAME_FILE: Label("Known already", "quiet", "files"),
    Outcome.WAITING: Label("Waits", "busy", "clock"),
    Outcome.IGNORED: Label("Left out", "quiet", "circle-dashed"),
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
_PICTURES = "image/"


def state_of(mail: InboundMail) -> Label:
    """What has become of a mail so far."""
    if mail.state is MailState.HELD:
        if mail.held_for is HeldFor.QUOTA:
            return Label("Waits for the quota", "warn", "pause")
        return Label("Held", "warn", "pause")
    if mail.state is MailState.DONE:
        has_failed = any(part.outcome in FAILURES for part in mail.parts)
        return Label("With problems", "warn", "circle-alert") if has_failed else Label("Done", "good", "circle-check")
    return _STATES.get(mail.state, _STATES[MailState.QUEUED])


def outcome_of(part: MailPart) -> Label:
    """What has become of a part."""
    return _OUTCOMES[part.outcome]


def is_moving(mail: InboundMail) -> bool:
    """Whether it changes by itself soon."""
    return mail.state in (MailState.QUEUED, MailState.READING)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the list asks for."""

    state: str = ""
    address: str = ""

    def query(self) -> MailQuery:
        """Raises InvalidParameter."""
        shown = one_of(Shown, self.state)
        state = MailState(shown) if shown else None
        return MailQuery(state=state, address_id=id_of(self.address))

    def path(self, after: object = "") -> str:
        return path_with(LIST, state=self.state, address=self.address, after=after)

    @property
    def is_filtered(self) -> bool:
        return bool(self.state or self.address)


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail in the list. `outcomes` counts its parts that matter to people."""

    mail: InboundMail
    state: Label
    address: str
    invoices: int
    problems: int


def rows_of(mails: Sequence[InboundMail], addresses: Sequence[MailAddress]) -> list[MailRow]:
    """The rows of a list."""
    names = {address.id: name_of(address) for address in addresses}
    return [
        MailRow(
            mail,
            state_of(mail),
            names.get(mail.address_id, ""),
            sum(part.outcome is Outcome.INVOICE for part in mail.parts),
            sum(part.outcome in FAILURES for part in mail.parts),
        )
        for mail in mails
    ]


def name_of(address: MailAddress) -> str:
    """What to call an address in a narrow place."""
    return address.label or address.local


@dataclass(slots=True)
class PartNode:
    """A part with those that it contains."""

    part: MailPart
    label: Label
    needs_password: bool = False
    """Its invoice waits for the password of its file."""
    inside: list["PartNode"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What to call it: most texts of mails have no name."""
        kind = self.part.mime_type or ""
        return self.part.name or ("Text of the mail" if kind.startswith("text/") else kind or "Part of the mail")

    @property
    def can_be_read_anyway(self) -> bool:
        """Whether somebody may say that it is to be read although it was left out."""
        return self.part.outcome in LEFT_OUT

    @property
    def is_picture(self) -> bool:
        """Whether it can be left out of later mails."""
        return bool(self.part.sha256) and (self.part.mime_type or "").startswith(_PICTURES)


def tree_of(parts: Sequence[MailPart], locked: Collection[UUID] = ()) -> list[PartNode]:
    """The parts, each below the one that contains it; `locked` are the invoices that wait for a password."""
    nodes = {part.path: _node_of(part, part.invoice_id in locked) for part in sorted(parts, key=_place)}
    roots: list[PartNode] = []
    for path, node in nodes.items():
        above = _above(path, nodes)
        (above.inside if above else roots).append(node)
    return roots


def _node_of(part: MailPart, needs_password: bool) -> PartNode:
    label = _OUTCOMES[Outcome.NEEDS_PASSWORD] if needs_password else outcome_of(part)
    return PartNode(part, label, needs_password)


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
