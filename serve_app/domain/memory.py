"""What confirmed invoices teach about their vendors.

An example is of one invoice: it is kept with it, and goes with it. What a vendor's invoices teach together is worked
out when it is needed, so there is nothing that could go out of step.
"""

from typing import Self
from uuid import UUID

import msgspec

MOST_EXAMPLES = 20
"""The examples of a vendor that count: those of its newest invoices."""

Keys = tuple[str, ...]
"""By what a vendor is known: `vat:`, `iban:`, `domain:` and `name:`, each followed by a value in one form; and by what
its documents look like: `layout:`."""
LAYOUT = "layout:"
NAME = "name:"


class ValuePosition(msgspec.Struct, frozen=True, array_like=True):
    """Where a value was printed: the words before and above it, its page from the first and from the last (0 is the
    first, or the last), and its centre (in `evidence.UNITS`)."""

    before: str
    above: str
    page: int
    from_last: int
    x: int
    y: int


class FieldExample(msgspec.Struct, frozen=True, array_like=True):
    """Where a field's value was, and where another value was that the models took for it. `shape` is the value with
    `9` for each digit and `A` for each letter."""

    right: ValuePosition | None = None
    wrong: ValuePosition | None = None
    shape: str = ""


class VendorExample(msgspec.Struct, frozen=True):
    """What one confirmed invoice says about its vendor. `name` is as wanted, `read_name` as the models read it.
    `is_month_first` None: its dates do not tell."""

    keys: Keys
    name: str | None = None
    read_name: str | None = None
    currency: str | None = None
    is_month_first: bool | None = None
    fields: dict[str, FieldExample] = {}

    def encoded(self) -> str:
        """As it is stored."""
        return _ENCODER.encode(self).decode()

    @classmethod
    def decoded(cls, text: str) -> Self:
        """The example that was encoded."""
        return msgspec.json.decode(text, type=cls)


class StoredExample(msgspec.Struct, frozen=True):
    """An example, and the invoice that teaches it."""

    invoice_id: UUID
    example: VendorExample


_ENCODER = msgspec.json.Encoder()
