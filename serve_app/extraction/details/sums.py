"""What the invoice's amount consists of: subtotal, shipping, discount; how much was paid, and how much is due."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.invoice import Detail
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.captions import Caption
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.fields import Fields
from serve_app.extraction.notation.numbers import ends_in_decimals
from serve_app.extraction.reconcile.candidates import TOLERANCE

# The probability from which on a model counts as taking an amount for one of these; a caption right before it counts a
# little less.
SEEN = 0.5
_NAMED = 0.5
_PARTS = {
    Detail.SUBTOTAL: (Label.SUBTOTAL, Caption.SUBTOTAL),
    Detail.SHIPPING: (Label.SHIPPING, Caption.SHIPPING),
    Detail.DISCOUNT: (Label.DISCOUNT, Caption.DISCOUNT),
    Detail.AMOUNT_DUE: (Label.AMOUNT_DUE, Caption.AMOUNT_DUE),
    Detail.AMOUNT_PAID: (Label.PAID, Caption.PAID),
}
# Printed with or without a minus: the name says that they are deducted.
_UNSIGNED = frozenset({Detail.DISCOUNT, Detail.AMOUNT_PAID})

# Always less than the whole: "Total of discounts and charges 98.00" is the sum of more than these.
_ADJUSTMENTS = (Detail.SHIPPING, Detail.DISCOUNT)

Parts = dict[Detail, Found[Decimal]]


def find_parts(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], fields: Fields) -> Parts:
    """The parts that are printed, each at its likeliest place."""
    found = {detail: _likeliest(pages, candidates, *kinds) for detail, kinds in _PARTS.items()}
    if fields.amount is not None:
        step = fields.totals.commission
        if step is not None and step.after.value == fields.amount.value:
            found[Detail.SUBTOTAL], found[Detail.DISCOUNT] = step.before, step.by
        whole = abs(fields.amount.value)
        found |= {detail: None for detail in _ADJUSTMENTS if (part := found[detail]) and abs(part.value) >= whole}
    parts = {
        detail: abs(candidate.value) if detail in _UNSIGNED else candidate.value
        for detail, candidate in found.items()
        if candidate
    }
    proved = _Sums(parts, fields).proved()
    return {
        detail: Found(parts[detail], candidate.place, _PARTS[detail][:1], is_proved=detail in proved)
        for detail, candidate in found.items()
        if candidate
    }


def _likeliest(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], label: Label, caption: Caption
) -> Candidate[Decimal] | None:
    """Of equally likely ones the last: the sums at the end are those of the whole document."""
    seen = [
        (_chance(pages, candidate, label, caption), candidate.place.page, candidate.place.words, candidate)
        for candidate in candidates
    ]
    best = max(seen, key=lambda entry: entry[:3], default=None)
    return best[3] if best and best[0] >= SEEN else None


def _chance(pages: Sequence[PageEvidence], candidate: Candidate[Decimal], label: Label, caption: Caption) -> float:
    page = pages[candidate.place.page]
    captions = page.captions(candidate.place.words)
    # "Payment within 30 days" is not a sum of money.
    is_money = ends_in_decimals(page.text(candidate.place.words))
    is_named = is_money and captions.before[:1] == (caption,) and captions.skipped == 0
    return max(page.mean(candidate.place.words, label), _NAMED if is_named else 0.0)


@dataclass(frozen=True, slots=True)
class _Sums:
    """The parts of one document, with its amount and tax."""

    parts: Mapping[Detail, Decimal]
    fields: Fields

    def proved(self) -> frozenset[Detail]:
        """The parts without which the sums would not add up."""
        amount = self.fields.amount
        if amount is None:
            return frozenset()
        return self._of_amount(amount.value) | self._of_payment(amount.value)

    def _of_amount(self, amount: Decimal) -> frozenset[Detail]:
        """Of subtotal, shipping and discount, those that with the tax add up to the amount; zero proves nothing."""
        subtotal = self.parts.get(Detail.SUBTOTAL)
        tax = self.fields.tax.value if self.fields.tax else Decimal(0)
        if subtotal is None:
            return frozenset()
        shipping, discount = (self.parts.get(detail, Decimal(0)) for detail in (Detail.SHIPPING, Detail.DISCOUNT))
        for extras in ({Detail.SHIPPING, Detail.DISCOUNT}, {Detail.SHIPPING}, {Detail.DISCOUNT}, set[Detail]()):
            added = shipping if Detail.SHIPPING in extras else Decimal(0)
            taken = discount if Detail.DISCOUNT in extras else Decimal(0)
            is_sum_of_more = bool(tax or added or taken)
            if is_sum_of_more and abs(subtotal + tax + added - taken - amount) <= TOLERANCE:
                return frozenset({Detail.SUBTOTAL, *(extra for extra in extras if self.parts.get(extra))})
        return frozenset()

    def _of_payment(self, amount: Decimal) -> frozenset[Detail]:
        """What is due, and what was paid, if they add up to the amount."""
        due, paid = self.parts.get(Detail.AMOUNT_DUE), self.parts.get(Detail.AMOUNT_PAID)
        if due is None:
            return frozenset()
        if paid and abs(due + paid - amount) <= TOLERANCE:
            return frozenset({Detail.AMOUNT_DUE, Detail.AMOUNT_PAID})
        return frozenset({Detail.AMOUNT_DUE}) if due == amount and not paid else frozenset()
