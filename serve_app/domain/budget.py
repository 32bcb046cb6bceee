"""What readings cost, and how much of that an account may use in a month."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from serve_app.domain.resource import Number, Resource
from serve_app.domain.usage import UsageSums

CENT = Decimal("0.01")
MAX_BUDGET = Decimal(10**9)
_HOUR_MS = 3_600_000
_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a deployment, all in one currency (ISO 4217). `ocr_page` is on top of `page`, for pages that are read
    by OCR; `core_hour` is an hour of processor time, `gpu_hour` an hour for which a model has a GPU."""

    page: Decimal = _NOTHING
    ocr_page: Decimal = _NOTHING
    core_hour: Decimal = _NOTHING
    gpu_hour: Decimal = _NOTHING
    currency: str = "EUR"

    @property
    def are_set(self) -> bool:
        """Whether anything costs something."""
        return any((self.page, self.ocr_page, self.core_hour, self.gpu_hour))

    def cost_of(self, used: UsageSums) -> Decimal:
        """The exact price of these readings."""
        pages = used.pages * self.page + used.ocr_pages * self.ocr_page
        return pages + (used.cpu_ms * self.core_hour + used.gpu_ms * self.gpu_hour) / _HOUR_MS


NO_PRICES = Prices()


class BudgetInfo(Resource):
    """The budget of the current calendar month (UTC)."""

    spent: Number
    amount: Number
    currency: str


def in_cents(cost: Decimal) -> Decimal:
    """The cost as it is shown: rounded down, so that a budget looks used up only when it is."""
    return cost.quantize(CENT, ROUND_DOWN)


def is_amount(budget: Decimal) -> bool:
    """Whether an account can have this budget."""
    return budget.is_finite() and CENT <= budget <= MAX_BUDGET and budget == in_cents(budget)
