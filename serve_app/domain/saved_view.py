"""Lists of invoices that a person wants to come back to."""

from dataclasses import dataclass
from uuid import UUID

MAX_NAME = 60
"""Characters of a name."""
MAX_VIEWS = 20
"""How many views a person has in an account."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """A list by its name. `state` are its filters, order and columns, as the address of the list has them."""

    id: UUID
    account_id: UUID
    person_id: UUID
    name: str
    state: str
