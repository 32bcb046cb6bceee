"""How long things of an account are kept, and the receipts of what was removed."""

from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.erased import Erased


@dataclass(frozen=True, slots=True)
class Retention:
    """Days after which something goes, counted from when it came in; 0: never. None: as the deployment is set. Invoices
    go with all that they have (`values_days`), their documents perhaps before them (`documents_days`), and events are
    archived with their deliveries (`events_days`). `country` is where the books are kept: its law decides how long
    values and documents stay at least; None: no law is applied."""

    values_days: int | None = None
    events_days: int | None = None
    documents_days: int | None = None
    country: str | None = None

    def or_else(self, deployment: "Retention") -> "Retention":
        """The rule that applies, in a deployment with this one."""
        pairs = zip(astuple(self), astuple(deployment), strict=True)
        return Retention(*(theirs if mine is None else mine for mine, theirs in pairs))

    def at_least(self, days: int) -> "Retention":
        """The same rule, by which values and documents do not go earlier."""
        values, documents = (limit and max(limit, days) for limit in (self.values_days, self.documents_days))
        return replace(self, values_days=values, documents_days=documents)


class Removal(StrEnum):
    """Why something was removed for good."""

    RETENTION = "retention"
    DOCUMENTS = "documents"
    """Documents whose values are kept longer."""
    INVOICE = "invoice"
    """An invoice was deleted."""
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class Receipt:
    """That things were removed for good, without what they were. It is written before they are removed; `done_at` is
    None until they were, and stays None if the process died meanwhile. `before`: all removed had come in before."""

    id: UUID
    account_id: UUID
    why: Removal
    begun_at: datetime
    done_at: datetime | None = None
    before: datetime | None = None
    erased: Erased = field(default_factory=Erased)
