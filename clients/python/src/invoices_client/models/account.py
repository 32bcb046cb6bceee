"""Answers about account. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime
from decimal import Decimal

from invoices_client.models.base import Model
from invoices_client.models.enums import Scope
from invoices_client.models.invoices import Usage


class KeyInfo(Model):
    """A key as `GET /v1/me` shows it."""

    id: str
    """The id."""
    name: str
    """The name of the key."""
    prefix: str
    """The first characters of the key."""
    scope: Scope
    """What the key may do: `full` everything, `read` all GET endpoints."""
    created_at: datetime
    """When it was created."""


class QuotaInfo(Model):
    """Extractions of the current calendar month; `limit` None: no limit."""

    used: int
    """Extractions of this month."""
    limit: int | None = None
    """Extractions a month; null if there is no limit."""
    period_start: datetime
    """When the month began."""


class BudgetInfo(Model):
    """The budget of the current calendar month (UTC)."""

    spent: Decimal
    """The cost of what was read in this month, rounded down to two decimals."""
    amount: Decimal
    """What the readings of a month may cost."""
    currency: str
    """The currency, by its code in ISO 4217."""


class Me(Model):
    """The answer of `GET /v1/me`."""

    user_id: str
    """The id of the account."""
    key: KeyInfo
    """The key that was sent."""
    quota: QuotaInfo
    """How much of the monthly quota is used."""
    budget: BudgetInfo | None = None
    """None: the account has no budget."""
    usage: Usage
    """What the readings of the current calendar month took together."""
    target_precision: float
    """The share of `high` values that must be right."""
    livemode: bool
    """False for a key of test mode, whose data is apart."""
