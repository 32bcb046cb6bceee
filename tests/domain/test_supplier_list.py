"""The operator's list of suppliers."""

import pytest

from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, Extraction
from serve_app.domain.supplier_list import parse_supplier_list

IBAN, OTHER, TAX = "DE88200800000970375700", "DE89370400440532013000", "DE136695976"
LIST = f"""name;tax_number;iban;status;note
Harbour Freight Partners Ltd;;;blocked;list of 2026
;GB980780684;GB82 WEST 1234 5698 7654 32;;
Akme Werkzeug GmbH;DE 136 695 976;DE88 2008 0000 0970 3757 00;known;
Akme Werkzeug GmbH;{TAX};DE02120300000000202051;known;
Bolt AG;;{IBAN};known;
"""


def found(name: str, tax: str | None = None, iban: str | None = None) -> list[tuple[CheckKind, str]]:
    extraction = Extraction(vendor_name=name, details=Details(vendor_tax_id=tax, iban=iban))
    checks = parse_supplier_list(LIST).checks(extraction)
    assert all(check.severity is CheckSeverity.ALERT for check in checks)
    return [(check.kind, check.text) for check in checks]


class TestBlocked:
    def test_by_name_however_it_is_written(self) -> None:
        text = "The supplier's name is on the list of blocked suppliers: Harbour Freight Partners Ltd (list of 2026)."
        assert found("HARBOUR FREIGHT PARTNERS") == [(CheckKind.SUPPLIER_BLOCKED, text)]

    @pytest.mark.parametrize(("tax", "iban"), [("GB980780684", None), (None, "GB82WEST12345698765432")])
    def test_by_tax_number_or_account(self, tax: str | None, iban: str | None) -> None:
        assert [kind for kind, _ in found("Anything", tax, iban)] == [CheckKind.SUPPLIER_BLOCKED]


class TestKnown:
    def test_other_account_of_its_tax_number(self) -> None:
        text = "The bank account is not the one in the list of known suppliers: Akme Werkzeug GmbH."
        assert found("Whoever", TAX, OTHER) == [(CheckKind.SUPPLIER_LIST_DIFFERS, text)]

    def test_other_account_or_tax_number_of_its_name(self) -> None:
        assert [kind for kind, _ in found("Akme Werkzeug", None, OTHER)] == [CheckKind.SUPPLIER_LIST_DIFFERS]
        ((_, text),) = found("Akme Werkzeug", "DE811907980", IBAN)
        assert text.startswith("The tax number is not")

    def test_what_is_listed_or_missing_is_no_finding(self) -> None:
        assert found("Akme Werkzeug", TAX, IBAN) == []
        assert found("Akme Werkzeug", TAX, "DE02120300000000202051") == []
        assert found("Akme Werkzeug") == []
        assert found("Bolt", "DE811907980", IBAN) == []
        assert found("Nobody", None, OTHER) == []


class TestFiles:
    def test_commas_quotes_and_empty_lines_are_read(self) -> None:
        text = 'Status,Name\n\nblocked,"Foo, Bar & Sons"\n,\n'
        (check,) = parse_supplier_list(text).checks(Extraction(vendor_name="foo bar & sons"))
        assert check.kind is CheckKind.SUPPLIER_BLOCKED

    def test_invoice_without_values_matches_nothing(self) -> None:
        assert parse_supplier_list(LIST).checks(Extraction()) == []

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "line 1"),
            ("status;note\nblocked;x\n", "line 1"),
            ("name;surprise\na;b\n", "line 1"),
            ("name;name\na;b\n", "line 1"),
            ("name;status\nFoo;sanctioned\n", "line 2: the status must be blocked or known"),
            ("name;note\n;only a note\n", "line 2: neither"),
            ("name;note\nFoo\n", "line 2: another number"),
            ("name;note\nFoo;a;b\n", "line 2: another number"),
            ("name;note\nFoo;" + "x" * 200_000 + "\n", "after line 1: field larger"),
        ],
    )
    def test_error_names_the_line(self, text: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            parse_supplier_list(text)
