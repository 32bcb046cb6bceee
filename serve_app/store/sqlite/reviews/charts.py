"""What accounts book their invoices on, and what was decided."""

from uuid import UUID

from serve_app.domain.chart import NO_CHART, Chart
from serve_app.domain.coding import CodingExample
from serve_app.store.base.charts import ExamplesState
from serve_app.store.rows.charts import chart_from, chart_text
from serve_app.store.rows.codec import optional_moment
from serve_app.store.sqlite.engine.connection import Database

_OF_ACCOUNT = "SELECT * FROM charts WHERE account_id = ?"
_ADD = """
    INSERT INTO charts (account_id, revision, document)
    SELECT id, 1, :document FROM accounts WHERE id = :account
    ON CONFLICT (account_id) DO NOTHING
"""
_REPLACE = """
    UPDATE charts SET revision = revision + 1, document = :document WHERE account_id = :account AND revision = :over
"""
_NEWEST = """
    SELECT coding_example FROM invoices INDEXED BY invoices_coded
    WHERE account_id = :account AND coded_at IS NOT NULL ORDER BY coded_at DESC, id DESC LIMIT :limit
"""
_STATE = """
    SELECT count(*) AS number, max(coded_at) AS at FROM invoices INDEXED BY invoices_coded
    WHERE account_id = ? AND coded_at IS NOT NULL
"""


class SqliteCharts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> Chart:
        row = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchone())
        return NO_CHART if row is None else chart_from(row["revision"], row["document"])

    async def put(self, account_id: UUID, chart: Chart, over: int) -> Chart | None:
        values = {"account": str(account_id), "document": chart_text(chart), "over": over}
        statement = _REPLACE if over else _ADD
        is_put = await self._database.write(lambda c: c.execute(statement, values).rowcount == 1)
        return chart.model_copy(update={"revision": over + 1}) if is_put else None


class SqliteCodingExamples:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, account_id: UUID, limit: int) -> list[CodingExample]:
        values = {"account": str(account_id), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(_NEWEST, values).fetchall())
        return [CodingExample.decoded(row["coding_example"]) for row in rows]

    async def state(self, account_id: UUID) -> ExamplesState:
        row = await self._database.read(lambda c: c.execute(_STATE, (str(account_id),)).fetchone())
        return ExamplesState(row["number"], optional_moment(row["at"]))
