"""What the parts of a bill are booked on: as the invoice is coded, otherwise as the settings of the export say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from serve_app.domain import coding
from serve_app.domain.chart import ACCOUNT
from serve_app.domain.coding import WHOLE, CodingStatus, share_of
from serve_app.domain.invoice import Invoice
from serve_app.services.exports.bill import Coding
from serve_app.services.exports.settings import LedgerSettings

_COST_CENTRE, _TAX_CODE = "cost_center", "tax_code"
_OF_NO_RATE = "its coding by line cannot be assigned to its tax rates; code the invoice as a whole"


class NotReady(Exception):
    """Why an invoice cannot be exported, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Part:
    """A share of what has one rate of tax, in percent. The shares of all parts are 100."""

    share: Decimal
    coding: Coding


Coder = Callable[[Invoice, Decimal, bool], Sequence[Part]]
"""The parts of what has this rate of tax in an invoice; the flag: it is the only rate. Raises NotReady."""


def coder_of(settings: LedgerSettings) -> Coder:
    """Codes that nobody has confirmed count only if all of the invoice's codes are `high`."""

    def parts(invoice: Invoice, rate: Decimal, is_only: bool) -> Sequence[Part]:
        default = Coding(settings.expense_account_of(invoice.vendor_name or ""), settings.tax_code_of(rate))
        found = _coded(invoice, rate, settings.more_dimensions(), is_only=is_only)
        return [Part(part.share, _with_defaults(part.coding, default)) for part in found] or [Part(WHOLE, default)]

    return parts


def _with_defaults(found: Coding, default: Coding) -> Coding:
    return replace(found, account=found.account or default.account, tax_code=found.tax_code or default.tax_code)


def _coded(invoice: Invoice, rate: Decimal, more: Sequence[str], *, is_only: bool) -> Sequence[Part]:
    """Nothing if the invoice has no coding that can be relied on. `more` are keys of further dimensions."""
    known = invoice.coding
    if known is None or not (known.status is CodingStatus.CONFIRMED or known.auto_coded):
        return []
    codings = [_coding(posting, more) for posting in known.postings]
    if len(set(codings)) <= 1:
        return [Part(WHOLE, each) for each in codings[:1]]
    postings = [each for each in known.postings if is_only or each.line is None or _rate(invoice, each.line) == rate]
    return _shares(postings, more)


def _rate(invoice: Invoice, line: int) -> Decimal | None:
    return invoice.line_items[line - 1].tax_rate if line <= len(invoice.line_items) else None


def _shares(postings: Sequence[coding.Posting], more: Sequence[str]) -> Sequence[Part]:
    """Those of one coding together, in the order in which they first come."""
    amounts: dict[Coding, Decimal] = {}
    for posting in postings:
        if posting.amount is None:
            raise NotReady(_OF_NO_RATE)
        key = _coding(posting, more)
        amounts[key] = amounts.get(key, Decimal(0)) + posting.amount
    total = sum(amounts.values(), Decimal(0))
    if total == 0:
        raise NotReady(_OF_NO_RATE)
    return [Part(share_of(amount, total), each) for each, amount in amounts.items()]


def _coding(posting: coding.Posting, more: Sequence[str]) -> Coding:
    values = {key: code.value or "" for key, code in posting.codes.items()}
    others = tuple((key, values.get(key, "")) for key in more)
    return Coding(values.get(ACCOUNT, ""), values.get(_TAX_CODE, ""), values.get(_COST_CENTRE, ""), others)
