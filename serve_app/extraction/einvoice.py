"""The electronic invoice embedded in a file as a third witness: it can agree with the page, never overrule it.

There are two separate questions. Whether the file is consistent (`check_einvoice`) depends on everything that its pages
print, so that a model's mistake does not discredit a good invoice. Whether it supports an answer (`agrees`) depends on
that answer alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from serve_app.domain.document import Document
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.invoice import EInvoiceCheck, EInvoiceDifference, EInvoiceField, Field
from serve_app.extraction.confidence.agreement import Answer
from serve_app.extraction.parties.identifiers import compact, find_ibans, find_vat_ids
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.printed import PrintedText, printed_text

Value = str | Decimal | date

# If a page has two currencies, the models may agree on the wrong one.
_DECIDED_BY_PRINT = frozenset({Field.CURRENCY})


def agrees(einvoice: EInvoice | None, field: Field, answer: Answer | None) -> bool | None:
    """Whether the electronic invoice has the same value for a header field; None if it has none."""
    given = _given(einvoice, field) if einvoice else None
    if given is None or answer is None:
        return None
    return _normal(field, given) == _normal(field, answer.value)


def check_einvoice(document: Document, answers: Mapping[Field, Answer], sure: frozenset[Field]) -> EInvoiceCheck | None:
    """Compare the document's electronic invoice with what its pages print; None if it has none.

    A value that the pages print is no difference, unless it must be printed in another role: because both models read
    another one for its field (`sure` names the fields in which they agree), or because of the sums.
    """
    einvoice = document.einvoice
    if einvoice is None:
        return None
    differences = list(_Comparison(einvoice, printed_text(document), answers, sure).differences())
    return EInvoiceCheck(profile=einvoice.profile, matches_page=not differences, differences=differences)


@dataclass(frozen=True)
class _Comparison:
    einvoice: EInvoice
    text: PrintedText
    answers: Mapping[Field, Answer]
    sure: frozenset[Field]

    @cached_property
    def _dated(self) -> PrintedText:
        """The text without the invoice number, which may contain what looks like a date."""
        answer = self.answers.get(Field.INVOICE_NUMBER)
        text = self.text.without(self.einvoice.number or "")
        return text.without(answer.value) if answer else text

    def differences(self) -> Iterator[EInvoiceDifference]:
        for field, is_contradicted in self._rules().items():
            value, answer = _given(self.einvoice, field), self.answers.get(field)
            if value is None or _is_same(field, value, answer):
                continue
            if (answer and field in self.sure - _DECIDED_BY_PRINT) or is_contradicted(value):
                page = [answer.value] if answer else sorted(self._dated.due_dates()) if field is Field.DUE_AT else []
                yield _difference(EInvoiceField(field.value), [value], page)
        yield from self._identifiers()

    def _rules(self) -> dict[Field, Callable[[Any], bool]]:
        """For each field, whether the pages contradict the value of the electronic invoice.

        Every invoice prints its number, amount and issue date: if they are missing, that is a contradiction. The others
        contradict only if another value is printed.
        """
        return {
            Field.INVOICE_NUMBER: lambda number: not self.text.has_code(number),
            Field.AMOUNT: self._contradicts_amount,
            Field.TAX: self._contradicts_tax,
            Field.CURRENCY: lambda code: bool(self.text.currencies()) and not self.text.names_currency(code),
            Field.ISSUED_AT: lambda day: bool(self._dated.dates()) and day not in self._dated.dates(),
            Field.DUE_AT: self._contradicts_due_date,
        }

    def _contradicts_amount(self, value: Decimal) -> bool:
        """Whether the total is not printed, or another one is that fits the tax while this one does not."""
        total, amounts = abs(value), self.text.amounts()
        if total not in amounts:
            return bool(amounts)
        tax, answer = abs(self.einvoice.tax or Decimal(0)), self.answers.get(Field.AMOUNT)
        rival = abs(answer.value) if answer else total
        return bool(tax) and rival - tax in amounts and total - tax not in amounts

    def _contradicts_tax(self, value: Decimal) -> bool:
        """Whether another tax is printed, or follows from total and net."""
        tax, total, amounts = abs(value), abs(self.einvoice.amount or Decimal(0)), self.text.amounts()
        if tax and (tax in amounts or (total in amounts and total - tax in amounts)):
            return False
        parts = {amount for amount in amounts if 0 < amount < total / 2 and total - amount in amounts}
        return Field.TAX in self.answers or bool(tax and parts)

    def _contradicts_due_date(self, value: date) -> bool:
        """Whether a due date is printed, and this date is not, or only as the date of issue."""
        issued = self.answers.get(Field.ISSUED_AT)
        if value in self._dated.dates() and not (issued and issued.value == value):
            return False
        return Field.DUE_AT in self.answers or bool(self._dated.due_dates() - {value})

    def _identifiers(self) -> Iterator[EInvoiceDifference]:
        ibans, vat_ids = find_ibans(self.text.lines), find_vat_ids(self.text.lines)
        missing = [iban for iban in self.einvoice.ibans if not self.text.has_code(iban)]
        # Money must not go to an account that the page does not name: if any account is printed, each must be.
        if missing and ibans:
            yield _difference(EInvoiceField.IBAN, missing, ibans)
        # The buyer's identifier is often not printed: only a different one is a contradiction.
        missing = [vat_id for vat_id in self.einvoice.vat_ids if not self.text.has_code(vat_id)]
        others = [vat_id for vat_id in vat_ids if vat_id not in map(compact, self.einvoice.vat_ids)]
        if missing and others:
            yield _difference(EInvoiceField.VAT_ID, missing, others)


def _given(einvoice: EInvoice, field: Field) -> Value | None:
    values: dict[Field, Value | None] = {
        Field.VENDOR: einvoice.seller,
        Field.INVOICE_NUMBER: einvoice.number,
        Field.AMOUNT: einvoice.amount,
        Field.CURRENCY: einvoice.currency,
        Field.ISSUED_AT: einvoice.issued_at,
        Field.DUE_AT: einvoice.due_at,
        Field.TAX: einvoice.tax,
    }
    return values.get(field)


def _is_same(field: Field, value: Value, answer: Answer | None) -> bool:
    return answer is not None and _normal(field, value) == _normal(field, answer.value)


def _normal(field: Field, value: Value) -> Value:
    """The value in the form in which it is compared. Credit notes print their amounts with or without a sign."""
    if isinstance(value, Decimal):
        return abs(value)
    if field is Field.VENDOR:
        return normal_name(str(value))
    return normal_number(str(value)) if field is Field.INVOICE_NUMBER else value


def _difference(field: EInvoiceField, einvoice: Sequence[Value], page: Sequence[Value]) -> EInvoiceDifference:
    return EInvoiceDifference(
        field=field, einvoice=", ".join(map(_text, einvoice)), page=", ".join(map(_text, page)) or None
    )


def _text(value: Value) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
