"""What is known about pairs of models that are tried beside the first one."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.canary import Canary, CanaryRun
from serve_app.domain.comparison import Comparison, Signs


class Comparisons(Protocol):
    """What candidates read differently: the latest comparison of each invoice, for COMPARISON_LIFE."""

    async def put(self, comparisons: Collection[Comparison]) -> None:
        """Save the comparisons of one file, except those of invoices that are gone."""
        ...

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> Comparison | None: ...

    async def candidates(self) -> list[str]:
        """The names of all candidates with a comparison, in alphabetical order."""
        ...

    async def newest(self, candidate: str, limit: int) -> list[Comparison]:
        """Comparisons of this candidate, newest first."""
        ...

    async def signs(self, canary_id: UUID, limit: int) -> list[Signs]:
        """The evidence of a canary, oldest first."""
        ...


class Canaries(Protocol):
    """The present canary, and earlier ones with the evidence that they ended with."""

    async def present(self) -> Canary | None:
        """The one that was started last, running or not."""
        ...

    async def put(self, canary: Canary, over: Canary | None) -> bool:
        """Make it the present one, if the present one still is `over`, in its revision; else False."""
        ...

    async def newest(self, limit: int) -> list[Canary]:
        """The last ones, newest first."""
        ...

    async def add_run(self, run: CanaryRun) -> None:
        """Save how an answer came about, unless the invoice is gone; a later run over the document replaces it."""
        ...

    async def note_decision(self, account_id: UUID, invoice_id: UUID, at: datetime, *, corrected: bool) -> None:
        """A person has decided on the invoice. Only the first decision counts; no-op without a run."""
        ...

    async def runs(self, canary_id: UUID, limit: int) -> list[CanaryRun]:
        """The runs of a canary, oldest first."""
        ...
