"""An account's chart."""

from collections.abc import Sequence
from uuid import UUID

from serve_app.coding.codes_file import CodesFile, with_codes
from serve_app.domain.audit import Actor
from serve_app.domain.chart import NO_CHART, Chart, CodingRule, Dimension
from serve_app.domain.errors import ChartChanged
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Charts


class ChartService:
    """Shows charts and replaces them."""

    def __init__(self, charts: Charts, audit: AuditTrail) -> None:
        self._charts = charts
        self._audit = audit

    async def get(self, account_id: UUID) -> Chart:
        """The account's chart; of revision 0 and empty if there is none."""
        return await self._charts.of_account(account_id)

    async def replace(
        self,
        account_id: UUID,
        revision: int,
        dimensions: Sequence[Dimension],
        rules: Sequence[CodingRule],
        actor: Actor,
    ) -> Chart:
        """Replace the chart of this revision. Codes that are no longer in it stay in what was booked on them. Raises
        InvalidParameter, and ChartChanged if the chart has another revision."""
        chart = NO_CHART
        for dimension in dimensions:
            chart = chart.with_dimension(dimension)
        return await self._save(account_id, chart.with_rules(rules), revision, actor)

    async def import_codes(self, account_id: UUID, file: CodesFile, actor: Actor, *, replaces: bool = False) -> Chart:
        """Add the codes of a file, and change those that are in the chart already. Codes that are not in the file
        become inactive if it `replaces` their dimension. Raises InvalidParameter that names the lines, and
        ChartChanged."""
        chart = await self._charts.of_account(account_id)
        return await self._save(account_id, with_codes(chart, file, replaces=replaces), chart.revision, actor)

    async def _save(self, account_id: UUID, chart: Chart, revision: int, actor: Actor) -> Chart:
        saved = await self._charts.put(account_id, chart, revision)
        if saved is None:
            raise ChartChanged
        codes = sum(len(dimension.codes) for dimension in saved.dimensions)
        await self._audit.record(actor, account_id, "chart.changed", codes=codes, rules=len(saved.rules))
        return saved
