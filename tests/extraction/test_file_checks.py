"""Checks of an invoice that come from its file."""

from dataclasses import replace

import pytest

from serve_app.domain.document import DISPUTED, Conflict, ConflictKind, Document
from serve_app.domain.invoice import CheckKind, CheckSeverity, Confidence, Detail, Extraction, Field
from tests.extraction.pages import document_of, extract_invoice, reading_of

LINES = [
    "Akme|SELLER Tools|SELLER Ltd|SELLER",
    "VAT no. GB980780684|OTHER_NUMBER",
    "Invoice No. INV-0042|INVOICE_NUMBER",
    "Date: 05/03/2024|ISSUE_DATE",
    "Hammer|LINE_DESCRIPTION 20% 2|LINE_QUANTITY 10.00|LINE_UNIT_PRICE 20.00|LINE_TOTAL",
    "Total £20.00|TOTAL",
    "IBAN GB82 WEST 1234 5698 7654 32",
]


def with_conflicts(kind: ConflictKind, others: dict[str, str | None]) -> Document:
    """The invoice, some of whose words have another version."""
    (page,) = document_of(LINES).pages
    found = tuple(Conflict(kind, word.box, word.text, others[word.text]) for word in page.words if word.text in others)
    assert len(found) == len(others)
    is_doubted = kind is ConflictKind.REPLACED
    words = [replace(word, confidence=DISPUTED if is_doubted and word.text in others else 1.0) for word in page.words]
    return Document((replace(page, words=tuple(words), conflicts=found),))


def extracted(kind: ConflictKind, **others: str | None) -> Extraction:
    given = {_WORDS.get(name, name): other for name, other in others.items()}
    document = with_conflicts(kind, given)
    return extract_invoice(document, reading_of(LINES), reading_of(LINES))


_WORDS = {"amount": "£20.00", "number": "INV-0042", "account": "5698", "bank": "WEST", "price": "10.00"}


def checks(kind: ConflictKind, **others: str | None) -> list[tuple[CheckKind, CheckSeverity, str]]:
    return [(each.kind, each.severity, each.text) for each in extracted(kind, **others).checks]


class TestChangedFiles:
    def test_replaced_amount_is_an_alert_with_the_earlier_one(self) -> None:
        text = "The file was changed after it was made: amount (was £12.00)."
        assert checks(ConflictKind.REPLACED, amount="£12.00") == [(CheckKind.FILE_CHANGED, CheckSeverity.ALERT, text)]

    def test_words_of_an_account_are_one_value(self) -> None:
        ((_, severity, text),) = checks(ConflictKind.REPLACED, account="0934", bank="BARC")
        assert (severity, text) == (
            CheckSeverity.ALERT,
            "The file was changed after it was made: iban (was BARC 0934).",
        )

    def test_earlier_value_in_a_picture_is_unknown(self) -> None:
        ((*_, text),) = checks(ConflictKind.REPLACED, amount=None)
        assert text == "The file was changed after it was made: amount."

    def test_replaced_value_is_not_high(self) -> None:
        def levels(**others: str) -> list[Confidence]:
            found = extracted(ConflictKind.REPLACED, **others)
            assert found.details is not None
            assert found.field_confidence is not None
            return [found.field_confidence[Field.AMOUNT], found.details.field_confidence[Detail.IBAN]]

        assert levels() == [Confidence.HIGH] * 2
        assert Confidence.HIGH not in levels(amount="£12.00", account="0934")

    def test_form_of_another_invoice_is_a_notice(self) -> None:
        ((_, severity, _),) = checks(ConflictKind.REPLACED, amount="£12.00", number="INV-0041")
        assert severity is CheckSeverity.NOTICE

    def test_other_values_are_a_notice_that_names_them(self) -> None:
        assert checks(ConflictKind.REPLACED, price="6.00") == [
            (
                CheckKind.FILE_CHANGED,
                CheckSeverity.NOTICE,
                "The file was changed after it was made: 10.00 (was 6.00).",
            )
        ]

    def test_added_account_is_an_alert(self) -> None:
        ((kind, severity, _),) = checks(ConflictKind.ADDED, account=None)
        assert (kind, severity) == (CheckKind.FILE_CHANGED, CheckSeverity.ALERT)

    @pytest.mark.parametrize("added", [("account", "amount"), ("number",), ("price",)])
    def test_filled_forms_and_stamps_are_none(self, added: tuple[str, ...]) -> None:
        assert checks(ConflictKind.ADDED, **dict.fromkeys(added)) == []


class TestTextLayers:
    def test_other_amount_is_a_notice(self) -> None:
        assert checks(ConflictKind.TEXT_LAYER, amount="£12.00") == [
            (
                CheckKind.TEXT_LAYER_DIFFERS,
                CheckSeverity.NOTICE,
                "The hidden text of the file differs from what its pages show: amount (is £12.00).",
            )
        ]

    def test_other_words_are_none(self) -> None:
        assert checks(ConflictKind.TEXT_LAYER, price="6.00") == []
