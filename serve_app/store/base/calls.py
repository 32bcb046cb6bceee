"""The log of calls to the API."""

from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from serve_app.domain.api_call import ApiCall, ApiCallQuery
from serve_app.domain.query import ListPage


class Calls(Protocol):
    """The newest RING calls of each account, for CALL_LIFE. What was just added may be lost in a crash."""

    async def add(self, calls: Collection[ApiCall]) -> None:
        """Add calls in their order, except those of accounts that are gone."""
        ...

    async def page(
        self, account_id: UUID, query: ApiCallQuery, limit: int, after: UUID | None = None
    ) -> ListPage[ApiCall]:
        """Matching calls, newest first, starting strictly after the id `after` in that order."""
        ...
