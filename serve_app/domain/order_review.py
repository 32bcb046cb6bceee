"""What the match with orders means for the review of an invoice."""

from collections.abc import Collection
from typing import TypeVar

from serve_app.domain.invoice import (
    VERIFIED_BY,
    CheckKind,
    CheckSeverity,
    Confidence,
    Extraction,
    SupplierCheck,
    has_alerts,
)
from serve_app.domain.order_match import OrderFoundBy, OrderMatch, OrderMatchStatus
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.supplier_checks import by_severity

E = TypeVar("E", bound=Extraction)

_MOST_TEXTS = 3
_LONGEST = 400


def with_order_match(extraction: E, match: OrderMatch) -> E:
    """With this match, and a check that says what differs from the orders: a person must look before it is paid."""
    kept = [check for check in extraction.checks if check.kind is not CheckKind.ORDER_DIFFERS]
    checks = by_severity([*kept, *_checks(match)])
    return extraction.model_copy(update={"order_match": match, "checks": checks})


def allows_skip(extraction: Extraction, match: OrderMatch, rules: OrderRules, decided: Collection[str] = ()) -> bool:
    """Whether the invoice needs no look: the account wants that, its order was found by the number, everything is
    within tolerance, nothing else is unusual, and each needed value is `high` or `decided` by a person."""
    is_sure = (
        match.status is OrderMatchStatus.MATCHED and match.found_by is not OrderFoundBy.LINES and bool(match.lines)
    )
    levels = extraction.field_confidence or {}
    has_values = all(name in decided or levels.get(name) is Confidence.HIGH for name in VERIFIED_BY)
    return rules.skip_review and is_sure and has_values and not has_alerts(extraction)


def _checks(match: OrderMatch) -> list[SupplierCheck]:
    texts = [finding.text for finding in match.findings if finding.is_difference]
    if match.status is not OrderMatchStatus.DIFFERS or not texts:
        return []
    more = f" And {len(texts) - _MOST_TEXTS} more." if len(texts) > _MOST_TEXTS else ""
    text = shortened(one_line(" ".join(texts[:_MOST_TEXTS]) + more), _LONGEST)
    severity = CheckSeverity.ALERT
    return [SupplierCheck(kind=CheckKind.ORDER_DIFFERS, severity=severity, text=text, since=None, evidence=[])]
