"""What a run saw from outside: every call of the clients and its answer, every kill."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from benchmarks.faults.actions import Actions
from benchmarks.faults.documents import Kind

FINISHED = frozenset({"complete", "failed"})


class Outcome(StrEnum):
    """What a client knows after a call."""

    ACCEPTED = "accepted"
    """200 or 202: the service has it."""
    UNKNOWN = "unknown outcome"
    """No answer, or an error of the server's: it may have it."""
    UNCHANGED = "answered that nothing was changed"
    """The service's own 503, which promises that it has nothing of it."""
    IN_FLIGHT = "answered 409: an earlier call still holds the key"
    """Of a document with an `Idempotency-Key`: to be sent again with the same key until it is accepted."""
    REFUSED = "refused"
    """4xx: no fault of these documents, so none may be."""


@dataclass(slots=True)
class Call:
    """One attempt to send a document. `name` is the file's name in the store, too, and unique; only the attempts for a
    document with an `Idempotency-Key` share it."""

    name: str
    account_id: UUID
    kind: Kind
    outcome: Outcome
    status: int | None = None
    invoice_id: UUID | None = None
    seen_finished: str | None = None
    """The final state that the client was told."""
    retry_after: str | None = None
    """What a 503 said."""
    began: float = 0.0
    """By time.monotonic()."""
    seconds: float = 0.0
    """Until the answer."""


@dataclass(slots=True)
class Ledger:
    """Filled during a run."""

    calls: list[Call] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    """Documents in work at the kills, by what was killed."""
    lookups: Counter[str] = field(default_factory=Counter)
    """What became of looking at an accepted invoice: `found`, `missing`, `answered 503` or `no answer`."""
    actions: Actions = field(default_factory=Actions)
    """What was asked of finished invoices."""
    mailed: list[str] = field(default_factory=list)
    """Ids of mails that were accepted."""
    mailed_names: set[str] = field(default_factory=set)
    """Names of the invoices in them."""
    mail_tries: Counter[str] = field(default_factory=Counter)
    """Answers to mails that were not accepted and came again."""
    left_behind: list[str] = field(default_factory=list)
    """Commands of processes that outlived their service."""

    def of(self, outcome: Outcome) -> list[Call]:
        """The calls that ended so."""
        return [call for call in self.calls if call.outcome is outcome]
