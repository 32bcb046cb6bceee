"""The fields of the review screen: their names for people, and what kind of value each has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from serve_app.domain.invoice import Detail, DocumentType, Field
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.own_values import own_field_name
from serve_app.domain.provenance import DOCUMENT_TYPE
from serve_app.domain.review_tables import LINE_ITEMS, TAX_LINES


class Kind(StrEnum):
    """What a value is; the scripts know these words."""

    TEXT = "text"
    CODE = "code"
    """A text in which gaps mean nothing."""
    MONEY = "money"
    NUMBER = "number"
    DATE = "date"
    CURRENCY = "currency"
    CHOICE = "choice"


HEADER: Mapping[str, tuple[str, Kind]] = {
    Field.VENDOR: ("Vendor", Kind.TEXT),
    Field.INVOICE_NUMBER: ("Number", Kind.TEXT),
    Field.ISSUED_AT: ("Issued", Kind.DATE),
    Field.DUE_AT: ("Due", Kind.DATE),
    Field.AMOUNT: ("Amount", Kind.MONEY),
    Field.TAX: ("Tax", Kind.MONEY),
    Field.CURRENCY: ("Currency", Kind.CURRENCY),
}
DETAILS: Mapping[str, tuple[str, Kind]] = {
    DOCUMENT_TYPE: ("Kind of document", Kind.CHOICE),
    Detail.SUBTOTAL: ("Net", Kind.MONEY),
    Detail.SHIPPING: ("Shipping", Kind.MONEY),
    Detail.DISCOUNT: ("Discount", Kind.MONEY),
    Detail.AMOUNT_PAID: ("Already paid", Kind.MONEY),
    Detail.AMOUNT_DUE: ("Amount due", Kind.MONEY),
    Detail.BUYER_NAME: ("Buyer", Kind.TEXT),
    Detail.PURCHASE_ORDER: ("Order number", Kind.TEXT),
    Detail.VENDOR_TAX_ID: ("Vendor’s tax no.", Kind.CODE),
    Detail.BUYER_TAX_ID: ("Buyer’s tax no.", Kind.CODE),
    Detail.IBAN: ("IBAN", Kind.CODE),
    Detail.PAYMENT_TERMS: ("Terms", Kind.TEXT),
}
Inputs = Mapping[str, tuple[str, Kind]]
"""Labels and kinds, by the names of fields."""
Columns = Sequence[tuple[str, str, Kind]]
"""Names, labels and kinds of the cells of a row."""
COLUMNS: Mapping[str, Columns] = {
    LINE_ITEMS: (
        ("description", "Description", Kind.TEXT),
        ("quantity", "Quantity", Kind.NUMBER),
        ("unit_price", "Price", Kind.NUMBER),
        ("total", "Total", Kind.MONEY),
        ("tax_rate", "Tax %", Kind.NUMBER),
    ),
    TAX_LINES: (("rate", "Rate %", Kind.NUMBER), ("base", "Net", Kind.MONEY), ("amount", "Tax", Kind.MONEY)),
}
"""The cells of each table."""
_OWN_KINDS = {
    OwnFieldType.TEXT: Kind.TEXT,
    OwnFieldType.NUMBER: Kind.NUMBER,
    OwnFieldType.DATE: Kind.DATE,
    OwnFieldType.CHOICE: Kind.CHOICE,
}


@dataclass(frozen=True, slots=True)
class OwnInputs:
    """Of the fields that an account adds: those of whole invoices, and the columns of those of lines."""

    fields: Inputs = field(default_factory=dict)
    columns: Columns = ()

    @property
    def tables(self) -> Mapping[str, Columns]:
        """The cells of each table, with those of own fields last."""
        return {**COLUMNS, LINE_ITEMS: (*COLUMNS[LINE_ITEMS], *self.columns)}


NO_INPUTS = OwnInputs()


def own_inputs(fields: Sequence[OwnField]) -> OwnInputs:
    """Those of these fields."""
    inputs = {
        own_field_name(each.name): (each.label, _OWN_KINDS[each.type]) for each in fields if not _is_of_lines(each)
    }
    return OwnInputs(
        inputs, [(own_field_name(each.name), each.label, _cell_kind(each)) for each in fields if _is_of_lines(each)]
    )


def _is_of_lines(own: OwnField) -> bool:
    return own.scope is OwnFieldScope.LINE


def _cell_kind(own: OwnField) -> Kind:
    """A choice is typed into a cell."""
    return Kind.TEXT if own.type is OwnFieldType.CHOICE else _OWN_KINDS[own.type]


OPTIONS = (("", "unknown"), *((str(each), str(each).replace("_", " ")) for each in DocumentType))
KEYS = (
    ("Enter", "Accept the value and go to the next value to check"),
    ("Shift Enter", "Previous value to check"),
    ("Tab", "Next field"),
    ("Alt 1 … Alt 4", "Use one of the readings"),
    ("Alt Del", "Mark the value as not printed"),
    ("Click, Shift click, drag", "Fill the field with words from the page"),
    ("Ctrl Z, Ctrl Y", "Undo, redo"),
    ("Ctrl Enter", "Confirm and go to the next invoice"),
    ("Ctrl Shift Enter", "Snooze and go to the next invoice"),
    ("Esc", "Leave the input and restore its saved value"),
    ("Page up, Page down", "Scroll the pages"),
    ("In lines: arrows, Enter", "Move; Enter below the last line adds a line"),
    ("In lines: Alt I, Ctrl Del", "Insert a line, delete the line"),
    ("In lines: Alt ↑, Alt ↓", "Move the line"),
    ("In lines: Alt M, Alt S", "Merge the line with the next one; split it at the cursor"),
    ("In coding: Alt A, Alt S, Alt Enter", "Use the code for all lines, split the line, save the coding"),
    ("n, p", "Next and previous value to check (outside inputs, like all following keys)"),
    ("l", "Go to the lines"),
    ("+, -, 0, f, r", "Zoom in, zoom out, fit the width, fit the page, turn"),
    ("w", "Pages in a separate window"),
    ("?", "This list"),
)
