"""What accounts book their invoices on, and what was decided."""

from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from serve_app.domain.chart import Chart
from serve_app.domain.coding import CodingExample


class ExamplesState(NamedTuple):
    """How many examples there are, and when the newest one was decided on; None without any."""

    number: int
    newest: datetime | None


class Charts(Protocol):
    """At most one of each account; it goes with the account."""

    async def of_account(self, account_id: UUID) -> Chart:
        """NO_CHART, whose revision is 0, if the account has none."""
        ...

    async def put(self, account_id: UUID, chart: Chart, over: int) -> Chart | None:
        """Replace the chart of revision `over`; answers the chart with its new revision. None if the account has
        another one by now, or is gone."""
        ...


class CodingExamples(Protocol):
    """What confirmed codings teach; `Reviews.save` writes it, and it goes with the invoice."""

    async def newest(self, account_id: UUID, limit: int) -> list[CodingExample]:
        """Those that were decided on last, the newest first."""
        ...

    async def state(self, account_id: UUID) -> ExamplesState:
        """By which it shows whether there are other examples than before."""
        ...
