"""What waits, and what is in progress."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.invoice import Status
from serve_app.domain.load import PageKind
from serve_app.domain.queue_state import QueueState


@dataclass(frozen=True, slots=True)
class Share:
    """Documents of one account in the same state and of the same kind; `status` is queued or processing. `pages` is
    how many they are expected to have."""

    account_id: UUID
    status: Status
    kind: PageKind
    documents: int
    pages: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """All documents whose run has not ended. `oldest` is since when the one has been waiting that waits the longest,
    None if none waits; `oldest_running` is the same of runs, where a change of the invoice meanwhile begins anew."""

    shares: tuple[Share, ...] = ()
    oldest: datetime | None = None
    oldest_running: datetime | None = None

    def documents(self, status: Status | None = None, kind: PageKind | None = None) -> int:
        """How many documents there are in this state and of this kind; None: in any."""
        return sum(share.documents for share in self._found(status, kind))

    def documents_of(self, account_id: UUID, status: Status) -> int:
        """How many documents of one account are in this state."""
        return sum(share.documents for share in self._found(status, None) if share.account_id == account_id)

    def pages(self, status: Status | None = None, kind: PageKind | None = None) -> int:
        """The same of pages."""
        return sum(share.pages for share in self._found(status, kind))

    @property
    def state(self) -> QueueState:
        """The sums."""
        return QueueState(self.documents(Status.QUEUED), self.documents(Status.PROCESSING), self.oldest)

    def _found(self, status: Status | None, kind: PageKind | None) -> list[Share]:
        return [share for share in self.shares if status in (None, share.status) and kind in (None, share.kind)]
