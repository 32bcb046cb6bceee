"""The settings of exports. They say what is booked on which account where the coding of an invoice does not."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.folding import folded

Account = Annotated[str, Field(pattern=r"^[0-9A-Za-z .:&/_-]{0,60}$")]
_Code = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{0,60}$")]
_Name = Annotated[str, Field(min_length=1, max_length=255)]
_Rate = Annotated[str, Field(pattern=r"^\d{1,3}(\.\d{1,2})?$")]
_MOST = 2_000


class LedgerSettings(BaseModel):
    """What all formats know: accounts by the vendor's name, in any case and with or without accents, and codes of tax
    by rate in percent, such as `19` or `5.5`."""

    model_config = ConfigDict(extra="forbid")

    expense_account: Account = ""
    expense_accounts: Annotated[dict[_Name, Account], Field(max_length=_MOST)] = {}
    vendor_account: Account = ""
    vendor_accounts: Annotated[dict[_Name, Account], Field(max_length=_MOST)] = {}
    tax_codes: Annotated[dict[_Rate, _Code], Field(max_length=20)] = {}

    def expense_account_of(self, vendor: str) -> str:
        return _of(self.expense_accounts, vendor, self.expense_account)

    def vendor_account_of(self, vendor: str) -> str:
        return _of(self.vendor_accounts, vendor, self.vendor_account)

    def tax_code_of(self, rate: Decimal) -> str:
        """Empty if there is none."""
        return next((code for text, code in self.tax_codes.items() if Decimal(text) == rate), "")

    def more_dimensions(self) -> tuple[str, ...]:
        """Keys of dimensions of the chart that the file has columns for, besides account, tax code and cost centre."""
        return ()

    def rates(self) -> list[Decimal]:
        """Those that have a code."""
        return [Decimal(text) for text in self.tax_codes]


def checked(model: type[LedgerSettings], settings: Mapping[str, Any]) -> LedgerSettings:
    """Raises InvalidParameter."""
    try:
        return model.model_validate(settings)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidParameter(f"settings.{place}: {first['msg']}.", f"settings.{place}") from None


def stored(settings: BaseModel) -> dict[str, Any]:
    """The settings that differ from the defaults, as JSON."""
    return settings.model_dump(mode="json", exclude_defaults=True)


def _of(accounts: dict[str, str], vendor: str, default: str) -> str:
    wanted = folded(vendor)
    return next((account for name, account in accounts.items() if folded(name) == wanted), default)
