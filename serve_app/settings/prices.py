"""What readings cost the accounts of a deployment."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from serve_app.domain.budget import NO_PRICES, Prices
from serve_app.domain.iso_4217 import CURRENCIES

Price = Annotated[Decimal, Field(ge=0, le=10**6)]


class PriceSettings(BaseSettings):
    """Prices, for the monthly budgets of accounts and plans. Without any, no budget is ever used up."""

    price_page: Price = NO_PRICES.page
    """Price of a page that was read, in `price_currency`."""
    price_ocr_page: Price = NO_PRICES.ocr_page
    """What is added to `price_page` for a page that was read by OCR."""
    price_core_hour: Price = NO_PRICES.core_hour
    """Price of an hour of processor time."""
    price_gpu_hour: Price = NO_PRICES.gpu_hour
    """Price of an hour for which a model has a GPU."""
    price_currency: str = NO_PRICES.currency
    """The currency of prices and budgets, by its code in ISO 4217."""

    @field_validator("price_currency")
    @classmethod
    def _check_currency(cls, currency: str) -> str:
        if currency not in CURRENCIES:
            raise ValueError("must be a code of ISO 4217, such as EUR")
        return currency

    @property
    def prices(self) -> Prices:
        """All of them."""
        return Prices(
            self.price_page, self.price_ocr_page, self.price_core_hour, self.price_gpu_hour, self.price_currency
        )
