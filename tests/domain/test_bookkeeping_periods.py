"""How long invoices must be kept, by country."""

from datetime import date
from typing import Any

import pytest

from serve_app.domain.bookkeeping_periods import PERIODS, days_of, kept_until, refuse_deletion
from serve_app.domain.errors import InvoiceKept
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, InvoiceReview, ReviewStatus
from serve_app.domain.retention import Retention
from tests.support import make_invoice

INVOICE = make_invoice().model_copy(update={"issued_at": date(2025, 3, 1)})
BOOKED: list[dict[str, Any]] = [
    {"export_id": new_id()},
    {"review": InvoiceReview(status=ReviewStatus.CONFIRMED)},
    {"approval_status": ApprovalStatus.APPROVED},
    {"paid": True},
]


@pytest.mark.parametrize("update", BOOKED)
def test_what_is_part_of_the_books_is_kept_to_the_last_day(update: dict[str, Any]) -> None:
    booked = INVOICE.model_copy(update=update)
    with pytest.raises(InvoiceKept, match="until 2035-12-31"):
        refuse_deletion(booked, "DE", date(2035, 12, 31))
    refuse_deletion(booked, "DE", date(2036, 1, 1))
    refuse_deletion(booked, None, date(2025, 3, 2))
    refuse_deletion(INVOICE, "DE", date(2025, 3, 2))


def test_the_period_begins_with_the_year_after_the_invoice_or_its_receipt() -> None:
    assert kept_until(INVOICE, "AT") == date(2032, 12, 31)
    assert kept_until(make_invoice(), "AT") == date(2033, 12, 31)


@pytest.mark.parametrize("country", PERIODS)
def test_rounds_never_remove_earlier_than_the_law_allows(country: str) -> None:
    """Also of an invoice that came on the first day of its year."""
    assert date(2024, 1, 1).toordinal() + days_of(country) > date(2024 + PERIODS[country].years, 12, 31).toordinal()
    rule = Retention(30, 5, 0, country).at_least(days_of(country))
    assert rule == Retention(days_of(country), 5, 0, country)
    assert Retention(0, 0, None).at_least(100) == Retention(0, 0, None)
