"""What became of an act on several invoices: what was done, what was not and why, and how to undo it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import parse_id
from serve_app.services.bundle import Services
from serve_app.web.invoices.view import title_of

_CHANGE = re.compile(r"(?P<id>[0-9a-f-]{36}):(?P<token>[0-9a-f/-]{1,80})(?!\S)", re.ASCII)
_LISTED = 50
"""How many invoices that were left out are listed for each reason."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to an invoice. `token` says what it was, for the act that undoes it: the revision of the review
    after a decision, or whose work an invoice was and is."""

    invoice_id: UUID
    token: str


@dataclass(slots=True)
class Outcome:
    """`words` is what was done, as in "marked as paid"; `refused` are the invoices that were left out, by reason;
    `left` is how many were not tried because an error would have stopped them, too; `undo_act` is the name of the act
    that undoes it."""

    words: str
    done: int = 0
    changes: list[Change] = field(default_factory=list)
    refused: dict[str, list[UUID]] = field(default_factory=dict)
    left: int = 0
    undo_act: str = "take_back"

    def add(self, invoice_id: UUID, result: str | ServiceError | None) -> None:
        """Note one result: the token of a change, if it can be undone, or an error."""
        if isinstance(result, ServiceError):
            self.refused.setdefault(result.message, []).append(invoice_id)
            return
        self.done += 1
        if result is not None:
            self.changes.append(Change(invoice_id, result))

    @property
    def has_more_to_show(self) -> bool:
        """Whether a line of text is not enough."""
        return bool(self.refused or self.changes or self.left)

    @property
    def summary(self) -> str:
        """What was done, in one sentence."""
        return f"{self.done} {'invoice' if self.done == 1 else 'invoices'} {self.words}."

    @property
    def undo(self) -> str:
        """The changes as a form carries them; empty if nothing can be undone."""
        return " ".join(f"{change.invoice_id}:{change.token}" for change in self.changes)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why some invoices were left out: `named` are the first of these `count`, each with its id and title."""

    reason: str
    count: int
    named: Sequence[tuple[UUID, str]]


def read_changes(text: str) -> list[Change]:
    """The changes that `Outcome.undo` wrote; what makes no sense is left out."""
    found = [(parse_id(match["id"]), match["token"]) for match in _CHANGE.finditer(text)]
    return [Change(id, token) for id, token in found if id is not None]


async def name_refusals(services: Services, account_id: UUID, outcome: Outcome) -> list[Refusal]:
    """What was left out, most frequent reason first."""
    reasons = sorted(outcome.refused.items(), key=lambda item: -len(item[1]))
    return [
        Refusal(reason, len(ids), [(id, await _title(services, account_id, id)) for id in ids[:_LISTED]])
        for reason, ids in reasons
    ]


async def _title(services: Services, account_id: UUID, invoice_id: UUID) -> str:
    try:
        invoice = await services.invoices.get(account_id, invoice_id)
    except ServiceError:
        return str(invoice_id)
    return " ".join(part for part in (title_of(invoice), invoice.invoice_number) if part)
