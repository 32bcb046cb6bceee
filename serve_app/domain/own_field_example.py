"""What people say about own fields of an invoice teaches where the values of other invoices stand.

As with vendors, an example is of one invoice, is kept with it, and goes with it."""

from typing import Self
from uuid import UUID

import msgspec

from serve_app.domain.memory import Keys, ValuePosition

MOST_OWN_FIELD_EXAMPLES = 500
"""The examples of an account that count: its newest ones."""


class Neighbour(msgspec.Struct, frozen=True, array_like=True):
    """A word near a value: its left edge and its middle are so far right of and below those of the value, in
    `evidence.UNITS`."""

    word: str
    x: int
    y: int


class FieldPlace(msgspec.Struct, frozen=True, array_like=True):
    """A value that somebody has entered or confirmed; None: it is not printed. `text` is what is printed; `position`
    None: nobody knows where. `neighbours` are words around it that are not its caption."""

    value: str | None
    text: str = ""
    position: ValuePosition | None = None
    neighbours: tuple[Neighbour, ...] = ()


class FieldTrial(msgspec.Struct, frozen=True, array_like=True):
    """A value that was found in two ways before somebody has decided, and whether it was the right one."""

    field: str
    score: float
    is_right: bool


class OwnFieldExample(msgspec.Struct, frozen=True):
    """What one invoice says about own fields, by their names. `keys` are what its vendor is known by. `rows` has the
    values on its lines; their `neighbours` are the values that were read on the line, under the names of their
    columns."""

    invoice_id: UUID
    keys: Keys
    places: dict[str, FieldPlace]
    trials: list[FieldTrial] = []
    rows: dict[str, list[FieldPlace]] = {}

    def encoded(self) -> str:
        """As it is stored."""
        return _ENCODER.encode(self).decode()

    @classmethod
    def decoded(cls, text: str) -> Self:
        """The example that was encoded."""
        return msgspec.json.decode(text, type=cls)


_ENCODER = msgspec.json.Encoder()
