"""How far an invoice may differ from its order without being a difference."""

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field


class OrderRules(BaseModel):
    """An account's tolerances. A line may cost more or less than ordered by `price_percent` of what it should cost, or
    by `amount` in the order's currency; and exceed what was ordered and received by `quantity_percent`. `skip_review`:
    an invoice within tolerance needs no look."""

    model_config = ConfigDict(frozen=True)

    price_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    amount: Decimal = Field(default=Decimal("0.05"), ge=0, le=1_000_000)
    quantity_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    skip_review: bool = False

    def is_same_amount(self, found: Decimal, expected: Decimal) -> bool:
        """Whether two amounts are one within tolerance."""
        difference = abs(found - expected)
        return difference <= self.amount or difference * 100 <= self.price_percent * abs(expected)

    def most(self, quantity: Decimal) -> Decimal:
        """The greatest quantity that is not above this one."""
        return quantity * (100 + self.quantity_percent) / 100
