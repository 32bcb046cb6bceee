"""The log of calls to the API."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

CALL_LIFE = timedelta(days=7)
"""How long a call is kept."""
RING = 10_000
"""How many calls of an account are kept; each further one takes the place of the oldest."""
MAX_PATH_LENGTH = 200


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request with a valid key, and what became of it.

    `path` is without the query, and without what would open a link. `code` is the `code` of the error in the answer.
    `milliseconds` is the time until the answer began.
    """

    id: UUID
    account_id: UUID
    key_id: UUID
    request_id: str
    at: datetime
    method: str
    path: str
    status: int
    code: str | None
    milliseconds: int


@dataclass(frozen=True, slots=True)
class ApiCallQuery:
    """Which calls to list; None matches any value. `status_class` is the first digit of the status."""

    request_id: str | None = None
    status_class: int | None = None
    key_id: UUID | None = None
