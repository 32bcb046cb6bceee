"""The log of calls to the API."""

from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.account import Caller
from serve_app.domain.api_call import MAX_PATH_LENGTH, ApiCall, ApiCallQuery
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.query import ListPage
from serve_app.services.tasks.batches import Batches
from serve_app.store.base import Calls


@dataclass(frozen=True, slots=True)
class Answered:
    """A request and its answer, as the API saw them; `path` is without secrets, `seconds` is the time until the answer
    began."""

    request_id: str
    method: str
    path: str
    status: int
    code: str | None
    seconds: float


class CallLog:
    """Notes calls beside them, and lists them. A call may be missing: they are dropped while the store is slow."""

    def __init__(self, calls: Calls, clock: Clock = utc_now) -> None:
        self._calls = calls
        self._clock = clock
        self._batches = Batches[ApiCall](self._calls.add, "API calls")

    def note(self, caller: Caller, answered: Answered) -> None:
        """A request of the caller was answered now. Returns at once."""
        call = ApiCall(
            id=new_id(),
            account_id=caller.account.id,
            key_id=caller.key.id,
            request_id=answered.request_id,
            at=self._clock(),
            method=answered.method,
            path=answered.path[:MAX_PATH_LENGTH],
            status=answered.status,
            code=answered.code,
            milliseconds=round(1000 * answered.seconds),
        )
        self._batches.add(call)

    @property
    def dropped(self) -> int:
        """How many calls this process did not write."""
        return self._batches.dropped

    async def flush(self) -> None:
        """Write what waits now."""
        await self._batches.flush()

    async def page(
        self, account_id: UUID, query: ApiCallQuery, limit: int, after: UUID | None = None
    ) -> ListPage[ApiCall]:
        """The matching calls of the account, newest first, starting strictly after the call `after`."""
        return await self._calls.page(account_id, query, limit, after)
