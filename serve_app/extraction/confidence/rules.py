"""What invoices look like: an answer that breaks a rule here is doubted, never dropped."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from serve_app.domain.invoice import Field
from serve_app.extraction.confidence.agreement import Answer
from serve_app.extraction.parties.identifiers import compact, is_iban, looks_like_vat_id

Answers = Mapping[Field, Answer]

# No sales tax in the world is a larger share of the total (27 % on top are 21 % of it).
MOST_TAXED = Decimal("0.25")
# A tax of less is of few of the items, or no tax: what was added for shipping, for example.
LEAST_TAXED = Decimal("0.01")
LONGEST_TERM = timedelta(days=400)
# Fewer characters are rather a page number or a count.
SHORTEST_NUMBER = 3
MOST_WORDS = 10


def is_plausible(field: Field, answers: Answers) -> bool:
    """Whether the answer to a header field is consistent with what invoices look like, and with the other answers."""
    rule = _RULES.get(field)
    return rule is None or rule(answers[field].value, answers)


def _vendor(name: str, answers: Answers) -> bool:
    number = answers.get(Field.INVOICE_NUMBER)
    return len(name.split()) <= MOST_WORDS and not (number and number.value in name)


def _number(number: str, answers: Answers) -> bool:
    whole = compact(number)
    return len(number) >= SHORTEST_NUMBER and not looks_like_vat_id(whole) and not is_iban(whole)


def _amount(amount: Decimal, answers: Answers) -> bool:
    tax = answers.get(Field.TAX)
    return amount != 0 and not (tax and tax.value == amount)


def _issued(issued: date, answers: Answers) -> bool:
    due = answers.get(Field.DUE_AT)
    return due is None or issued <= due.value <= issued + LONGEST_TERM


def _due(due: date, answers: Answers) -> bool:
    issued = answers.get(Field.ISSUED_AT)
    return issued is not None and issued.value <= due <= issued.value + LONGEST_TERM


def _tax(tax: Decimal, answers: Answers) -> bool:
    amount = answers.get(Field.AMOUNT)
    if amount is None:
        return False
    return not tax or LEAST_TAXED * abs(amount.value) <= abs(tax) <= MOST_TAXED * abs(amount.value)


_RULES: dict[Field, Callable[[Any, Answers], bool]] = {
    Field.VENDOR: _vendor,
    Field.INVOICE_NUMBER: _number,
    Field.AMOUNT: _amount,
    Field.ISSUED_AT: _issued,
    Field.DUE_AT: _due,
    Field.TAX: _tax,
}
