"""Only values that are certain are booked, and postings close to the amount."""

from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.coding import CodingStatus
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    VERIFIED_BY,
    ApprovalStatus,
    CheckKind,
    CheckSeverity,
    Confidence,
    Details,
    DocumentType,
    Field,
    Invoice,
    InvoiceReview,
    ReviewStatus,
    Status,
    SupplierCheck,
    TaxLine,
)
from serve_app.domain.provenance import with_sources
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.coders import NotReady, coder_of
from serve_app.services.exports.ready import bill_of
from serve_app.services.exports.settings import LedgerSettings
from tests.services.exports.bills import coded, invoice_of, read_invoice

SETTINGS = LedgerSettings(
    expense_account="6300",
    expense_accounts={"Acmé GMBH": "6310"},
    vendor_accounts={"Acme GmbH": "70001"},
    tax_codes={"19": "9", "7": "8"},
)
ALERT = SupplierCheck(
    kind=CheckKind.LOOKALIKE, severity=CheckSeverity.ALERT, text="Looks alike.", since=None, evidence=[]
)
PLAIN = Details(tax_lines=[])


def bill(invoice: Invoice) -> Bill:
    return bill_of(invoice, SETTINGS, coder_of(SETTINGS))


def reason(invoice: Invoice) -> str:
    with pytest.raises(NotReady) as error:
        bill(invoice)
    return str(error.value)


class TestWhatIsReady:
    def test_what_a_person_confirmed_or_approved_and_what_was_verified(self) -> None:
        approved = {"auto_verified": False, "approval_status": ApprovalStatus.APPROVED}
        for invoice in (invoice_of(), read_invoice(), read_invoice(Confidence.HIGH).model_copy(update=approved)):
            assert bill(invoice).total == Decimal("129.70")

    @pytest.mark.parametrize(
        ("update", "expected"),
        [
            ({"status": Status.QUEUED}, "it is not complete"),
            ({"review": InvoiceReview(status=ReviewStatus.REJECTED)}, "it was rejected"),
            ({"approval_status": ApprovalStatus.REJECTED}, "its approval was rejected"),
            ({"approval_status": ApprovalStatus.REQUESTED}, "its approval is requested and not yet answered"),
            ({"duplicate_of": new_id()}, "it repeats an older invoice"),
            ({"checks": [ALERT]}, "it has an open alert"),
            ({"auto_verified": False}, "nobody has confirmed or approved it"),
            ({"document_type": DocumentType.OTHER}, "it is no invoice"),
            ({"document_type_confidence": Confidence.MID}, "its kind of document is uncertain"),
        ],
    )
    def test_the_rest_says_why_not(self, update: dict[str, Any], expected: str) -> None:
        assert reason(read_invoice().model_copy(update=update)) == expected

    @pytest.mark.parametrize("field", VERIFIED_BY)
    def test_an_approval_makes_no_value_certain(self, field: Field) -> None:
        read = read_invoice()
        assert read.field_confidence is not None
        doubtful = read.model_copy(
            update={
                "field_confidence": read.field_confidence | {field: Confidence.MID},
                "approval_status": ApprovalStatus.APPROVED,
            }
        )
        assert reason(doubtful).endswith("is uncertain; correct or confirm it")

    def test_a_missing_number_is_named(self) -> None:
        assert reason(with_sources(invoice_of(number=None))) == "the invoice number is unknown; correct or confirm it"  # type: ignore[arg-type]


class TestPostings:
    def test_are_coded_by_the_vendor_in_any_spelling(self) -> None:
        first, second = bill(invoice_of()).postings
        assert (first.coding.account, first.coding.tax_code, second.coding.tax_code) == ("6310", "9", "8")
        assert bill(invoice_of()).vendor_account == "70001"
        other = bill(invoice_of("Nobody Ltd"))
        assert (other.postings[0].coding.account, other.vendor_account) == ("6300", "")

    def test_that_do_not_close_are_refused(self) -> None:
        wrong = invoice_of(amount=Decimal("130.00"))
        assert reason(wrong).startswith("its parts by tax rate do not add up")

    def test_one_rate_is_proved_by_the_tax(self) -> None:
        invoice = with_sources(invoice_of(amount=Decimal("119.00"), tax=Decimal("19.00"), details=PLAIN))
        (posting,) = bill(invoice).postings
        assert (posting.net, posting.tax, posting.rate) == (Decimal("100.00"), Decimal("19.00"), Decimal(19))

    def test_a_tax_of_no_known_rate_is_refused(self) -> None:
        invoice = with_sources(invoice_of(amount=Decimal("119.00"), tax=Decimal("12.00"), details=PLAIN))
        assert reason(invoice).startswith("its tax rate is not known")

    def test_no_tax_is_booked_if_a_person_confirmed_that_there_is_none(self) -> None:
        (posting,) = bill(with_sources(invoice_of(tax=None, details=PLAIN))).postings
        assert (posting.net, posting.tax) == (Decimal("129.70"), Decimal(0))
        assert reason(read_invoice(tax=None, details=PLAIN)) == "its tax is uncertain; correct or confirm it"

    def test_of_a_credit_note_are_positive_whatever_it_prints(self) -> None:
        lines = [TaxLine(rate=Decimal(19), base=Decimal("-100.00"), amount=Decimal("-19.00"))]
        values: dict[str, Any] = {
            "amount": Decimal("-119.00"),
            "tax": Decimal("-19.00"),
            "details": Details(tax_lines=lines),
        }
        credit = bill(with_sources(invoice_of(document_type=DocumentType.CREDIT_NOTE, **values)))
        assert (credit.is_credit, credit.total) == (True, Decimal("119.00"))
        # A negative invoice is one, too.
        assert bill(with_sources(invoice_of(**values))).is_credit


class TestCodedInvoices:
    def test_are_booked_as_coded_with_the_settings_for_what_is_not(self) -> None:
        first, second = bill(coded((None, "129.70", {"account": "4930", "cost_center": "K1"}))).postings
        assert (first.coding.account, first.coding.tax_code, first.coding.cost_centre) == ("4930", "9", "K1")
        assert (second.coding.account, second.coding.tax_code) == ("4930", "8")

    def test_lines_are_booked_at_their_tax_rates(self) -> None:
        invoice = coded((1, "100.00", {"account": "4930"}), (2, "10.00", {"account": "4940"}))
        postings = [(posting.coding.account, posting.net) for posting in bill(invoice).postings]
        assert postings == [("4930", Decimal("100.00")), ("4940", Decimal("10.00"))]

    def test_a_split_closes_to_the_cent(self) -> None:
        thirds = [(None, "43.23", {"cost_center": name}) for name in "ABC"]
        found = bill(coded(*thirds))
        assert found.total == Decimal("129.70")
        assert [posting.coding.cost_centre for posting in found.postings] == ["A", "B", "C"] * 2
        assert sum(posting.net for posting in found.postings[:3]) == Decimal("100.00")

    def test_what_nobody_confirmed_is_not_booked(self) -> None:
        (first, _) = bill(coded((None, "129.70", {"account": "4930"}), status=CodingStatus.SUGGESTED)).postings
        assert first.coding.account == "6310"

    def test_lines_without_a_rate_are_refused_rather_than_guessed(self) -> None:
        invoice = coded((1, "100.00", {"account": "4930"}), (2, "10.00", {"account": "4940"}))
        bare = [item.model_copy(update={"tax_rate": None}) for item in invoice.line_items]
        assert "cannot be assigned" in reason(invoice.model_copy(update={"line_items": bare}))
