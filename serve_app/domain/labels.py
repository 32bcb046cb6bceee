"""The labels of words on an invoice. They name what is printed; what it means for the invoice is decided later."""

from enum import StrEnum


class Label(StrEnum):
    """The kinds of text the models point at.

    `OTHER_DATE` and `OTHER_NUMBER` are look-alikes (delivery date, customer number, order number ...): labelling
    them teaches a model to tell them from the real ones.
    """

    SELLER = "SELLER"
    BUYER = "BUYER"
    INVOICE_NUMBER = "INVOICE_NUMBER"
    OTHER_NUMBER = "OTHER_NUMBER"
    ISSUE_DATE = "ISSUE_DATE"
    DUE_DATE = "DUE_DATE"
    OTHER_DATE = "OTHER_DATE"
    CURRENCY = "CURRENCY"
    TOTAL = "TOTAL"
    AMOUNT_DUE = "AMOUNT_DUE"
    PAID = "PAID"
    SUBTOTAL = "SUBTOTAL"
    TAX = "TAX"
    TAX_LINE = "TAX_LINE"
    SHIPPING = "SHIPPING"
    DISCOUNT = "DISCOUNT"
    ROUNDING = "ROUNDING"
    LINE_DESCRIPTION = "LINE_DESCRIPTION"
    LINE_QUANTITY = "LINE_QUANTITY"
    LINE_UNIT_PRICE = "LINE_UNIT_PRICE"
    LINE_TOTAL = "LINE_TOTAL"


OUTSIDE = "O"
# Of a word in training data whose label nobody knows; no model ever answers it.
UNKNOWN = "?"

# The classes of the token models, in the order of their output: IOB2 tagging (Ramshaw and Marcus, 1995).
TAGS: tuple[str, ...] = (
    OUTSIDE,
    *(f"{prefix}-{label}" for label in Label for prefix in ("B", "I")),
)
