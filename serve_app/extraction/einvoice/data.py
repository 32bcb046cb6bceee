"""The machine-readable parts of a document, an embedded electronic invoice and codes on its pages, beside what the
pages print: they can agree with the page, never overrule it. A file that is itself an electronic invoice is another
matter (`einvoice_values`).

There are two separate questions. Whether the document is consistent (`Comparison`) depends on everything that its pages
print, so that a model's mistake does not discredit a good invoice. Whether they support an answer (`agrees`) depends on
that answer alone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from serve_app.domain.document import Document
from serve_app.domain.einvoice_validation import Validation
from serve_app.domain.embedded_data import (
    EInvoiceCheck,
    EInvoiceDifference,
    EInvoiceField,
    EInvoiceFinding,
    EInvoiceValidation,
)
from serve_app.domain.invoice import Field
from serve_app.domain.invoice_data import InvoiceData, data_in
from serve_app.extraction.codes import decode
from serve_app.extraction.confidence.agreement import Answer
from serve_app.extraction.parties.identifiers import compact, find_ibans, find_vat_ids
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.printed import PrintedText

Value = str | Decimal | date

# If a page has two currencies, the models may agree on the wrong one.
_DECIDED_BY_PRINT = frozenset({Field.CURRENCY})


def data_of(document: Document) -> tuple[InvoiceData, ...]:
    """All that machine-readable parts of a document say of its invoice."""
    coded = [decode(code.text).values for page in document.pages for code in page.codes]
    return (*map(data_in, filter(None, (document.einvoice,))), *coded)


def agrees(data: Iterable[InvoiceData], field: Field, answer: Answer | None) -> bool | None:
    """Whether any of them has the same value for a header field; None if none has one."""
    given = [value for each in data if (value := value_of(each, field)) is not None]
    if not given or answer is None:
        return None
    return any(_is_answer(field, value, answer) for value in given)


def check_einvoice(document: Document, pages: "Comparison") -> EInvoiceCheck | None:
    """Compare the document's electronic invoice with what its pages print; None if it has none. Pages that were made
    from it match: they have nothing else to say."""
    einvoice = document.einvoice
    if einvoice is None:
        return None
    found = () if document.is_einvoice else pages.differences(data_in(einvoice))
    differences = [EInvoiceDifference(field=field, einvoice=given, page=page) for field, given, page in found]
    return EInvoiceCheck(
        profile=einvoice.profile,
        matches_page=not differences,
        differences=differences,
        validation=document.validation and _shown(document.validation),
    )


def _shown(validation: Validation) -> EInvoiceValidation:
    return EInvoiceValidation(
        profile=validation.specification,
        valid=validation.is_valid,
        checked_by=list(validation.checked_by),
        not_checked=list(validation.not_checked),
        findings=[EInvoiceFinding.model_validate(asdict(finding)) for finding in validation.findings],
    )


Contradiction = tuple[EInvoiceField, str, str | None]
"""A field, what the machine-readable part says, and what the pages say instead, if that is known."""


@dataclass(frozen=True)
class Comparison:
    """What the pages of a document print, and what was read from them; `sure` names the fields in which both models
    agree."""

    text: PrintedText
    answers: Mapping[Field, Answer]
    sure: frozenset[Field]

    def differences(self, data: InvoiceData) -> list[Contradiction]:
        """The values of an invoice that the pages contradict.

        A value that the pages print is no difference, unless it must be printed in another role: because both models
        read another one for its field, or because of the sums.
        """
        return [*self._of_fields(data), *self._of_accounts(data), *self._of_tax_numbers(data)]

    def differences_of_payment(self, data: InvoiceData) -> list[Contradiction]:
        """The same for an order to pay, which may be for a part of the invoice: its sum must be printed anywhere."""
        amounts, currencies = self.text.amounts(), self.text.currencies()
        found = []
        if data.amount is not None and amounts and data.amount not in amounts:
            found.append(self._contradiction(Field.AMOUNT, data.amount))
        if data.currency and currencies and not self.text.names_currency(data.currency):
            found.append(self._contradiction(Field.CURRENCY, data.currency))
        return [*found, *self._of_accounts(data)]

    @cached_property
    def _dated(self) -> PrintedText:
        """The text without the invoice number, which may contain what looks like a date."""
        answer = self.answers.get(Field.INVOICE_NUMBER)
        return self.text.without(answer.value) if answer else self.text

    def _of_fields(self, data: InvoiceData) -> Iterator[Contradiction]:
        for field, is_contradicted in self._rules(data).items():
            value, answer = value_of(data, field), self.answers.get(field)
            if value is None or _is_answer(field, value, answer):
                continue
            if (answer and field in self.sure - _DECIDED_BY_PRINT) or is_contradicted(value):
                yield self._contradiction(field, value)

    def _contradiction(self, field: Field, value: Value) -> Contradiction:
        answer = self.answers.get(field)
        page = [answer.value] if answer else sorted(self._dated.due_dates()) if field is Field.DUE_AT else []
        return _contradiction(EInvoiceField(field.value), [value], page)

    def _rules(self, data: InvoiceData) -> dict[Field, Callable[[Any], bool]]:
        """For each field, whether the pages contradict a value.

        Every invoice prints its number, amount and issue date: if they are missing, that is a contradiction. The others
        contradict only if another value is printed.
        """
        dated = self._dated.without(data.number or "")
        return {
            Field.INVOICE_NUMBER: lambda number: not self.text.has_code(number),
            Field.AMOUNT: lambda amount: self._contradicts_amount(amount, data),
            Field.TAX: lambda tax: self._contradicts_tax(tax, data),
            Field.CURRENCY: lambda code: bool(self.text.currencies()) and not self.text.names_currency(code),
            Field.ISSUED_AT: lambda day: bool(dated.dates()) and day not in dated.dates(),
            Field.DUE_AT: lambda day: self._contradicts_due_date(day, dated),
        }

    def _contradicts_amount(self, value: Decimal, data: InvoiceData) -> bool:
        """Whether the total is not printed, or another one is that fits the tax while this one does not."""
        total, amounts = abs(value), self.text.amounts()
        if total not in amounts:
            return bool(amounts)
        tax, answer = abs(data.tax or Decimal(0)), self.answers.get(Field.AMOUNT)
        rival = abs(answer.value) if answer else total
        return bool(tax) and rival - tax in amounts and total - tax not in amounts

    def _contradicts_tax(self, value: Decimal, data: InvoiceData) -> bool:
        """Whether another tax is printed, or follows from total and net."""
        tax, total, amounts = abs(value), abs(data.amount or Decimal(0)), self.text.amounts()
        if tax and (tax in amounts or (total in amounts and total - tax in amounts)):
            return False
        parts = {amount for amount in amounts if 0 < amount < total / 2 and total - amount in amounts}
        return Field.TAX in self.answers or bool(tax and parts)

    def _contradicts_due_date(self, value: date, dated: PrintedText) -> bool:
        """Whether a due date is printed, and this date is not, or only as the date of issue."""
        issued = self.answers.get(Field.ISSUED_AT)
        if value in dated.dates() and not (issued and issued.value == value):
            return False
        return Field.DUE_AT in self.answers or bool(dated.due_dates() - {value})

    def _of_accounts(self, data: InvoiceData) -> Iterator[Contradiction]:
        """Money must not go to an account that the page does not name: if any account is printed, each must be."""
        ibans = find_ibans(self.text.lines)
        missing = [iban for iban in data.ibans if not self.text.has_code(iban)]
        if missing and ibans:
            yield _contradiction(EInvoiceField.IBAN, missing, ibans)

    def _of_tax_numbers(self, data: InvoiceData) -> Iterator[Contradiction]:
        """The buyer's identifier is often not printed: only a different one is a contradiction. Either side may leave
        the country's letters out."""
        printed, given = find_vat_ids(self.text.lines), list(map(compact, data.vat_ids))
        missing = [
            each for each in data.vat_ids if not self.text.has_code(each) and not _ends_any(compact(each), printed)
        ]
        others = [each for each in printed if not _ends_any(each, given)]
        if missing and others:
            yield _contradiction(EInvoiceField.VAT_ID, missing, others)


def _ends_any(identifier: str, others: Iterable[str]) -> bool:
    return any(identifier.endswith(other) or other.endswith(identifier) for other in others)


def value_of(data: InvoiceData, field: Field) -> Value | None:
    """What a machine-readable part says about a header field."""
    values: dict[Field, Value | None] = {
        Field.VENDOR: data.seller,
        Field.INVOICE_NUMBER: data.number,
        Field.AMOUNT: data.amount,
        Field.CURRENCY: data.currency,
        Field.ISSUED_AT: data.issued_at,
        Field.DUE_AT: data.due_at,
        Field.TAX: data.tax,
    }
    return values.get(field)


def _is_answer(field: Field, value: Value, answer: Answer | None) -> bool:
    return answer is not None and is_same(field, value, answer.value)


def is_same(field: Field, one: Value, other: Value) -> bool:
    """Whether two values of a field are the same, however they are written."""
    if field is Field.INVOICE_NUMBER:
        return bool(_normal_numbers(str(one)) & _normal_numbers(str(other)))
    return _normal(field, one) == _normal(field, other)


def _normal_numbers(number: str) -> set[str]:
    """A number in the forms in which it is compared: as it is, and without zeros that fill it or its parts up:
    "00010-00000094" is "0010-94"."""
    parts = [part for part in re.split(r"[\W_]+", number.casefold()) if part]
    return {normal_number(number), "-".join(part.lstrip("0") for part in parts), "".join(parts).lstrip("0")}


def _normal(field: Field, value: Value) -> Value:
    """The value in the form in which it is compared. Credit notes print their amounts with or without a sign."""
    if isinstance(value, Decimal):
        return abs(value)
    if field is Field.VENDOR:
        return normal_name(str(value))
    return value


def _contradiction(field: EInvoiceField, given: Sequence[Value], page: Sequence[Value]) -> Contradiction:
    return field, ", ".join(map(_text, given)), ", ".join(map(_text, page)) or None


def _text(value: Value) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
