"""Fields that accounts add, and what people said about them."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.own_field import OwnField
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.store.base.charts import ExamplesState


class OwnFields(Protocol):
    """At most one of a name in an account; they go with the account."""

    async def of_account(self, account_id: UUID) -> list[OwnField]:
        """In the order of their names."""
        ...

    async def put(self, account_id: UUID, field: OwnField) -> bool:
        """Add the field, or replace the one of its name; False if the account is gone."""
        ...

    async def remove(self, account_id: UUID, name: str) -> bool:
        """False if there is none of this name."""
        ...


class OwnFieldExamples(Protocol):
    """What invoices teach about own fields; `Reviews.save` writes it, and it goes with the invoice."""

    async def newest(self, account_id: UUID, limit: int) -> list[OwnFieldExample]:
        """Those that were decided on last, the newest first."""
        ...

    async def state(self, account_id: UUID) -> ExamplesState:
        """By which it shows whether there are other examples than before."""
        ...
