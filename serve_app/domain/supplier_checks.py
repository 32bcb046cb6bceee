"""What is unusual about an invoice beside the supplier's earlier ones: signs of fraud and of mistakes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any
from uuid import UUID

from rapidfuzz.distance import DamerauLevenshtein

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.earlier_invoice import EarlierCheck, EarlierInvoice
from serve_app.domain.invoice import CheckKind, CheckSeverity, Extraction, SupplierCheck
from serve_app.domain.lookalikes import looks_like
from serve_app.domain.vendor import IdentifierKind

MOST_EARLIER = 50
"""So many of the supplier's newest invoices are looked at."""
_MOST_EVIDENCE = 5
# An identifier that so many earlier invoices share is the supplier's; a range of amounts needs more of them.
_KNOWN = 2
_RANGE = 6
# An amount beyond this multiple of the highest earlier one is unusual: in a normal year suppliers stay far below.
_FACTOR = 5
# What never varied in so many invoices is the supplier's habit.
_REGULAR = 6
# Percentage points that rounding makes of a rate, and the least net sum for that.
_SAME_RATE = Decimal("0.3")
_LEAST_NET = Decimal(10)
_DIGITS = re.compile(r"\d+")
_MAILS = 3
_OF_IDENTITY = (CheckKind.LOOKALIKE, CheckKind.BANK_ACCOUNT_CHANGED, CheckKind.TAX_NUMBER_CHANGED)
_IDENTIFIERS = {
    IdentifierKind.TAX_NUMBER: ("vendor_tax_id", CheckKind.TAX_NUMBER_CHANGED),
    IdentifierKind.IBAN: ("iban", CheckKind.BANK_ACCOUNT_CHANGED),
}
_LONG_AGO = timedelta(days=2 * 366)
_TOMORROW = timedelta(days=1)
# Numbers that differ in so many characters may be one number, misread or changed.
_NEAR = 2

Rule = Callable[[Extraction, Sequence[EarlierInvoice], date], SupplierCheck | None]


def supplier_checks(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> list[SupplierCheck]:
    """What a person should look at before paying, alerts first.

    `earlier` are complete invoices of the same supplier, newest first, without rejected ones. A new account or tax
    number is known for later ones only once a person has confirmed the check that found it. Suppliers of other names
    that share a tax number or an account, as those of a platform do, have habits of their own.
    """
    rules = (*_RULES, *_RULES_OF_HABITS) if has_name_of(extraction, earlier) else _RULES
    return by_severity(check for rule in rules if (check := rule(extraction, earlier, today)) is not None)


def is_new_supplier(earlier: Sequence[EarlierInvoice]) -> bool:
    """Whether nothing is known of the supplier, or only what no person has confirmed: a name that somebody may have
    made up."""
    return all(any(_is_open(check, kind) for check in each.checks for kind in _OF_IDENTITY) for each in earlier)


def lookalike_check(extraction: Extraction, imitated: str, earlier: Sequence[EarlierInvoice]) -> SupplierCheck | None:
    """What is to be said of a new supplier who looks like the one with the name `imitated` and these `earlier`
    invoices: that the account or the tax number is another one. Else the name may have been misread."""
    kinds = {"iban": CheckKind.BANK_ACCOUNT_CHANGED, "vendor_tax_id": CheckKind.TAX_NUMBER_CHANGED}
    for name, kind in kinds.items():
        value, known = _detail(extraction, name), {_detail(each, name) for each in _known(earlier, name, kind)}
        if value is not None and known and value not in known:
            what = "bank account" if name == "iban" else "tax number"
            text = f"This new supplier looks like {imitated}, but has another {what}."
            return _check(CheckKind.LOOKALIKE, CheckSeverity.ALERT, text, earlier)
    return None


def foreign_check(
    extraction: Extraction, kind: IdentifierKind, named: Sequence[EarlierInvoice], owner: Sequence[EarlierInvoice]
) -> SupplierCheck | None:
    """What is to be said if the invoices of the supplier that is `named` never had the identifier, and another one,
    its `owner`, has it: somebody may bill under the name of another firm."""
    name, check = _IDENTIFIERS[kind]
    value = _detail(extraction, name)
    if not owner or value is None or value in {_detail(each, name) for each in named}:
        return None
    what = "tax number" if kind is IdentifierKind.TAX_NUMBER else "bank account"
    shown = value if kind is IdentifierKind.TAX_NUMBER else _short(value)
    text = f"The {what} {shown} is that of another supplier, {owner[0].vendor_name}."
    return _check(check, CheckSeverity.ALERT, text, owner)


def sender_check(sender: str, earlier: Mapping[UUID, str], own: Iterable[str]) -> SupplierCheck | None:
    """`earlier` are the senders of the supplier's newest invoices that came by e-mail, by the invoice, and `own` the
    addresses of the account's people, who forward invoices. Only where all others wrote from one domain another one
    says something."""
    domain, ours = _domain_of(sender), {_domain_of(each) for each in own}
    earlier = {id: each for id, each in earlier.items() if _domain_of(each) not in ours}
    known = {_domain_of(each) for each in earlier.values()}
    if len(earlier) < _MAILS or len(known) != 1 or domain in known | ours:
        return None
    text = f"The invoice came from {domain}; earlier ones of this supplier came from {known.pop()}."
    evidence = list(earlier)[:_MOST_EVIDENCE]
    return SupplierCheck(
        kind=CheckKind.SENDER_CHANGED, severity=CheckSeverity.NOTICE, text=text, since=None, evidence=evidence
    )


def _domain_of(address: str) -> str:
    return address.rpartition("@")[2].casefold()


def by_severity(checks: Iterable[SupplierCheck]) -> list[SupplierCheck]:
    """Alerts first."""
    return sorted(checks, key=lambda check: list(CheckSeverity).index(check.severity))


def _bank_account(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    iban, known = _detail(extraction, "iban"), _known(earlier, "iban", CheckKind.BANK_ACCOUNT_CHANGED)
    if iban is None or not known or iban in {_detail(each, "iban") for each in known}:
        return None
    last = _short(_detail(known[0], "iban"))
    text = f"The bank account {_short(iban)} is new for this supplier; the last one was {last}."
    severity = CheckSeverity.ALERT if has_name_of(extraction, known) else CheckSeverity.NOTICE
    return _check(CheckKind.BANK_ACCOUNT_CHANGED, severity, text, known)


def has_name_of(extraction: Extraction, known: Iterable[EarlierInvoice]) -> bool:
    """Whether the supplier of these invoices is named, or could be meant. If the tax number alone is the same, it may
    be a branch with an account of its own."""
    name = extraction.vendor_name
    names = {each.vendor_name for each in known if each.vendor_name}
    return not name or any(normalise_vendor(name) == normalise_vendor(each) or looks_like(name, each) for each in names)


def _tax_number(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    number = _detail(extraction, "vendor_tax_id")
    known = _known(earlier, "vendor_tax_id", CheckKind.TAX_NUMBER_CHANGED)
    counts = Counter(_detail(each, "vendor_tax_id") for each in known)
    if number is None or not counts or number in counts or counts.most_common(1)[0][1] < _KNOWN:
        return None
    text = f"The supplier's tax number {number} differs from {counts.most_common(1)[0][0]} on earlier invoices."
    return _check(CheckKind.TAX_NUMBER_CHANGED, CheckSeverity.ALERT, text, known)


def _account_country(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    iban, number = _detail(extraction, "iban"), _detail(extraction, "vendor_tax_id")
    if iban is None or number is None or not number[:2].isalpha():
        return None
    # Greece has a prefix of its own for taxes, Northern Ireland and the Swiss register, too.
    country = {"EL": "GR", "XI": "GB"}.get(number[:2], number[:2])
    if iban[:2] == country or any((_detail(each, "iban") or "")[:2] == iban[:2] for each in earlier):
        return None
    text = f"The bank account is in {iban[:2]}, the supplier's tax number is from {country}."
    return _check(CheckKind.ACCOUNT_ABROAD, CheckSeverity.NOTICE, text, [])


def _number_reused(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    same = [
        each
        for each in earlier
        if extraction.invoice_number and each.invoice_number == extraction.invoice_number
        if extraction.amount is not None and each.amount is not None and each.amount != extraction.amount
    ]
    if not same:
        return None
    text = f"Number {extraction.invoice_number} was already used by this supplier, with the amount {same[0].amount:f}."
    return _check(CheckKind.NUMBER_REUSED, CheckSeverity.ALERT, text, same)


def _near_duplicate(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    number = extraction.invoice_number
    same = [
        each
        for each in earlier
        if number and each.invoice_number and each.invoice_number != number
        if extraction.amount is not None and each.amount == extraction.amount
        if extraction.issued_at is not None and each.issued_at == extraction.issued_at
        if DamerauLevenshtein.distance(number, each.invoice_number, score_cutoff=_NEAR) <= _NEAR
    ]
    if not same:
        return None
    text = f"Invoice {same[0].invoice_number} has the same amount and date; it may be the same invoice."
    return _check(CheckKind.NEAR_DUPLICATE, CheckSeverity.ALERT, text, same)


def _amount(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    amounts = [
        each.amount
        for each in earlier
        if each.amount is not None and each.amount > 0 and each.currency == extraction.currency
    ]
    if extraction.amount is None or len(amounts) < _RANGE or extraction.amount <= _FACTOR * max(amounts):
        return None
    text = f"The amount is more than {_FACTOR} times the highest of this supplier's earlier invoices, {max(amounts):f}."
    return _check(CheckKind.AMOUNT_UNUSUAL, CheckSeverity.NOTICE, text, earlier)


def _number(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    """Only where the numbers of the year were strictly regular: of one shape, and higher on later days."""
    number, issued = extraction.invoice_number, extraction.issued_at
    if number is None or issued is None:
        return None
    series = [
        (each.issued_at, each.invoice_number)
        for each in earlier
        if each.invoice_number and each.issued_at and each.issued_at.year == issued.year
    ]
    if len(series) < _REGULAR or not _is_regular(series) or _is_regular([*series, (issued, number)]):
        return None
    text = f"The number {number} does not continue the supplier's numbers, such as {series[0][1]}."
    return _check(CheckKind.NUMBER_UNUSUAL, CheckSeverity.NOTICE, text, earlier)


def _is_regular(series: Iterable[tuple[date, str]]) -> bool:
    numbers = sorted((day, [int(group) for group in _DIGITS.findall(number)]) for day, number in series)
    shapes = {_DIGITS.sub("9", number).casefold() for _, number in series}
    rises = (one[0] == next_one[0] or one[1] < next_one[1] for one, next_one in pairwise(numbers))
    return len(shapes) == 1 and all(rises)


def _tax(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    """Only where the rate was always the same."""
    rate, rates = _rate(extraction), [rate for each in earlier if (rate := _rate(each)) is not None]
    if rate is None or len(rates) < _REGULAR or max(rates) - min(rates) > _SAME_RATE:
        return None
    if min(rates) - _SAME_RATE <= rate <= max(rates) + _SAME_RATE:
        return None
    text = f"The tax is {rate:.1f} % of the net sum; it was {rates[0]:.1f} % on all earlier invoices."
    return _check(CheckKind.TAX_UNUSUAL, CheckSeverity.NOTICE, text, earlier)


def _rate(invoice: Extraction | EarlierInvoice) -> Decimal | None:
    """In per cent of the net sum, if that is large enough to say."""
    if invoice.tax is None or invoice.amount is None or invoice.amount - invoice.tax < _LEAST_NET:
        return None
    return 100 * invoice.tax / (invoice.amount - invoice.tax)


def _date(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    issued = extraction.issued_at
    if issued is None:
        return None
    if issued > today + _TOMORROW:
        text = f"The issue date {issued.isoformat()} is in the future."
    elif issued < today - _LONG_AGO:
        text = f"The issue date {issued.isoformat()} is more than two years ago."
    else:
        return None
    return _check(CheckKind.DATE_UNUSUAL, CheckSeverity.NOTICE, text, [])


def _document(extraction: Extraction, earlier: Sequence[EarlierInvoice], today: date) -> SupplierCheck | None:
    """A code or an electronic invoice that says something else than the page."""
    differences: list[Any] = [each for code in extraction.codes for each in code.differences]
    differences += extraction.einvoice.differences if extraction.einvoice else []
    if not differences:
        return None
    names = sorted({each.field.value.replace("_", " ") for each in differences})
    text = f"A code or an electronic invoice in the file differs from the page: {', '.join(names)}."
    return _check(CheckKind.DATA_DIFFERS, CheckSeverity.ALERT, text, [])


_RULES: tuple[Rule, ...] = (_bank_account, _tax_number, _near_duplicate, _document, _account_country, _date)
_RULES_OF_HABITS: tuple[Rule, ...] = (_number_reused, _amount, _number, _tax)


def _check(kind: CheckKind, severity: CheckSeverity, text: str, evidence: Sequence[EarlierInvoice]) -> SupplierCheck:
    """`evidence` are earlier invoices, newest first."""
    return SupplierCheck(
        kind=kind,
        severity=severity,
        text=text,
        since=min(map(_seen_on, evidence), default=None),
        evidence=[each.id for each in evidence[:_MOST_EVIDENCE]],
    )


def _seen_on(invoice: EarlierInvoice) -> date:
    return invoice.issued_at or invoice.created_at.date()


def _known(earlier: Sequence[EarlierInvoice], name: str, kind: CheckKind) -> list[EarlierInvoice]:
    """The earlier invoices that have such a detail, without those where it was new, or the name was taken for that of
    another one, and no person has confirmed it."""
    kinds = (kind, CheckKind.LOOKALIKE)
    return [
        each
        for each in earlier
        if _detail(each, name) and not any(_is_open(check, kind) for check in each.checks for kind in kinds)
    ]


def _is_open(check: EarlierCheck, kind: CheckKind) -> bool:
    return check.kind is kind and check.confirmed_at is None


def open_accounts(invoices: Sequence[EarlierInvoice]) -> set[str]:
    """The accounts of a supplier's invoices that are new and that no person has confirmed."""
    known = {_detail(each, "iban") for each in _known(invoices, "iban", CheckKind.BANK_ACCOUNT_CHANGED)}
    return {iban for each in invoices if (iban := _detail(each, "iban")) and iban not in known}


def _detail(invoice: Extraction | EarlierInvoice, name: str) -> str | None:
    value: str | None = getattr(invoice.details, name) if invoice.details else None
    return value


def _short(iban: str | None) -> str:
    """Enough of an account number to recognise it."""
    return f"{iban[:4]}…{iban[-4:]}" if iban else ""
