"""What a server of MongoDB would refuse is never sent to it; the simulated one takes everything."""

from datetime import date

from serve_app.domain.ids import new_id
from serve_app.domain.query import InvoiceQuery
from serve_app.store.mongo.invoices.filters import invoice_filter


def test_no_pattern_has_a_nul() -> None:
    query = InvoiceQuery(vendor="ac\0me", overdue_on=date(2026, 5, 17))
    assert invoice_filter(new_id(), query, None)["vendor_folded"] == {"$in": []}


def test_a_part_of_a_name_is_taken_literally() -> None:
    query = InvoiceQuery(vendor="A.C*", overdue_on=date(2026, 5, 17))
    assert invoice_filter(new_id(), query, None)["vendor_folded"] == {"$regex": "a\\.c\\*"}
