"""Figures mean what they say: what counts as right, and what is counted."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.compare import is_right, matched_lines
from models.evaluation.dataset import Case, DatasetError, load_dataset
from models.evaluation.evaluate import Evaluation
from models.evaluation.outcome import Outcome
from models.evaluation.presence import present
from models.evaluation.report import notable_grid
from models.evaluation.tally import Tally
from serve_app.domain.batch import Section
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Confidence, Extraction, FailureCode, Field, LineItem
from tests.support import DOCUMENT


@pytest.mark.parametrize(
    ("field", "truth", "predicted", "right"),
    [
        ("vendor_name", {"vendor_name": "Akme GmbH"}, "AKME", True),
        ("vendor_name", {"vendor_name": "Akme", "_vendor_alt": ["Akme Tools"]}, "Akme Tools Ltd", True),
        ("vendor_name", {"vendor_name": "Akme"}, "Bkme", False),
        ("invoice_number", {"invoice_number": "RE 2024/1"}, "re2024/1", True),
        ("invoice_number", {"invoice_number": None}, "17", False),
        ("invoice_number", {"invoice_number": None}, None, True),
        ("amount", {"amount": 10.0}, Decimal("10.00"), True),
        ("amount", {"amount": 10.0, "_amount_alt": [9.5]}, Decimal("9.5"), True),
        ("amount", {"amount": -10.0}, Decimal("10.00"), False),
        ("amount", {"amount": -10.0, "doc_type": "credit_note"}, Decimal("10.00"), True),
        ("tax", {"tax": 0.0}, Decimal(0), True),
        ("tax", {"tax": 0.0}, None, False),
        ("tax", {"tax": None}, Decimal(0), True),
        ("issued_at", {"issued_at": "2024-03-01"}, date(2024, 3, 1), True),
        ("currency", {"currency": "EUR"}, "eur", True),
    ],
)
def test_what_counts_as_right(field: str, truth: dict[str, object], predicted: object, right: bool) -> None:
    assert is_right(field, truth, predicted) is right


def line(description: str | None, quantity: str | None, price: str | None) -> LineItem:
    def number(text: str | None) -> Decimal | None:
        return None if text is None else Decimal(text)

    return LineItem(description=description, quantity=number(quantity), unit_price=number(price), confidence=None)


def test_lines_match_by_numbers_and_likeness() -> None:
    truth = [
        {"description": "Steel hammer", "quantity": 2, "unit_price": 10.0},
        {"description": "Long saw", "quantity": 1, "unit_price": 30.0},
    ]
    assert matched_lines(truth, [line("Long saw blade", "1", "30"), line("Steel hammer", "2", "10")]) == {0: 1, 1: 0}
    assert matched_lines(truth, [line("Steel hammer", "3", "10"), line("Something else", "1", "30")]) == {}
    assert matched_lines(truth, [line("Steel hammer", "2", "10")] * 2) == {0: 0}


def case(*truths: dict[str, Any]) -> Case:
    return Case("a", Path("one.pdf"), truths)


def found(*sections: Section, document: Document = DOCUMENT) -> Outcome:
    return Outcome(list(sections), None, document, 0.5, 0.2)


def test_counts_fields_levels_and_invented_values() -> None:
    tally = Tally()
    extraction = Extraction(
        vendor_name="Akme",
        amount=Decimal(5),
        field_confidence={Field.VENDOR: Confidence.HIGH, Field.AMOUNT: Confidence.LOW},
    )
    tally.add(case({"vendor_name": "Akme", "amount": 6.0, "due_at": None}), found(Section(1, 1, extraction)))
    tally.add(case(), found(Section(1, 1, extraction)))
    unreadable = DocumentError(FailureCode.DOCUMENT_UNREADABLE, "broken")
    tally.add(case({"vendor_name": "Akme"}), Outcome([], unreadable, None, 0.5, 0.5))
    vendor = tally.fields["vendor_name"]
    assert (vendor.printed, vendor.printed_right) == (2, 1)
    assert vendor.right_levels[Confidence.HIGH] == 1
    assert (tally.fields["amount"].right, tally.fields["due_at"].right) == (0, 1)
    assert (tally.failed, tally.no_invoice, tally.invented) == (1, 1, 1)


def write_dataset(folder: Path, truth: object) -> None:
    for name in ("docs/a/one.pdf", "truth/a/one.pdf.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(truth))


def test_a_dataset_is_documents_with_truth(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"documents": [{"amount": 1}, {"amount": 2}], "doc_type": "batch"})
    (case,) = load_dataset(tmp_path)
    assert case.name == "a/one.pdf"
    assert [truth["amount"] for truth in case.truths] == [1, 2]


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="contains no truth"):
        load_dataset(tmp_path)


@pytest.mark.parametrize(
    ("truth", "problem"),
    [
        ({"amount": "twelve"}, "amount: Input should be a valid decimal"),
        ({"_amount_alt": 12}, "_amount_alt: Input should be a valid list"),
        ({"documents": [{"issued_at": "31.12.2025"}]}, "issued_at: Input should be a valid date"),
        ({"line_items": [{"quantity": []}]}, "line_items.0.quantity: Decimal input"),
    ],
)
def test_a_truth_that_cannot_be_compared_is_refused(truth: object, problem: str, tmp_path: Path) -> None:
    write_dataset(tmp_path, truth)
    with pytest.raises(DatasetError, match=rf"one\.pdf\.json: {problem}"):
        load_dataset(tmp_path)


def test_the_invoices_of_a_batch_are_held_against_their_own_truths() -> None:
    truths = ({"invoice_number": "A-1", "amount": 5.0}, {"invoice_number": "A-2", "amount": 6.0})
    sections = [
        Section(1, 1, Extraction(invoice_number="A-2", amount=Decimal(6))),
        Section(2, 2, Extraction(invoice_number="A-1", amount=Decimal(7))),
    ]
    tally = Tally()
    tally.add(case(*truths), found(*sections))
    assert (tally.fields["invoice_number"].right, tally.fields["amount"].right) == (2, 1)


def test_a_true_value_is_present_where_the_words_print_it_in_any_way() -> None:
    texts = ("Akme", "GmbH", "Total:", "1.234,50", "05.03.2024", "RE", "17/4")
    words = tuple(Word(text, Box(0.1 * i, 0.1, 0.1 * i + 0.08, 0.12)) for i, text in enumerate(texts))
    truth = {
        "vendor_name": "Akme GmbH",
        "amount": 1234.5,
        "tax": 20.0,
        "issued_at": "2024-03-05",
        "due_at": "2024-04-05",
        "invoice_number": "RE 17/4",
    }
    assert present(truth, [Page(1, 595, 842, words)]) == {
        "vendor_name": True,
        "invoice_number": True,
        "amount": True,
        "issued_at": True,
        "due_at": False,
        "tax": False,
    }


def test_kinds_and_sources_come_from_the_manifest(tmp_path: Path) -> None:
    for name in ("a/one.jpg", "drawn_by_a/two.jpg", "drawn_by_b/three.jpg"):
        for path in (tmp_path / "docs" / name, tmp_path / "truth" / f"{name}.json"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"expect": "nothing"}))
    (tmp_path / "MANIFEST.csv").write_text("set,file,kind,source\na,one.jpg,photo,\ndrawn_by_b,three.jpg,,b\n")
    one, three, two = sorted(load_dataset(tmp_path), key=lambda case: case.path.name)
    assert (one.kind, one.expect, one.truths, one.source) == ("photo", "nothing", (), "a")
    # Sets of one source share their names up to the first underscore, unless the manifest names others.
    assert (two.source, three.source) == ("drawn", "b")


def test_the_table_of_outcomes_names_every_invoice_of_a_batch() -> None:
    sections = [Section(1, 2, Extraction(invoice_number="A-1")), Section(3, 3, Extraction(invoice_number="A-2"))]
    evaluation = Evaluation()
    evaluation.add(case({"invoice_number": "A-1"}, {"invoice_number": "A-2"}), found(*sections))
    assert "[p. 1-2: None A-1 None] [p. 3: None A-2 None]" in notable_grid(evaluation).markdown()


def test_an_invoice_that_was_not_found_is_wrong_in_its_empty_fields_too() -> None:
    tally = Tally()
    tally.add(
        case({"amount": 5.0, "due_at": None}, {"amount": 6.0, "due_at": None}),
        found(Section(1, 1, Extraction(amount=Decimal(5)))),
    )
    assert tally.header == (2, 4)


def test_files_of_one_group_count_as_one() -> None:
    evaluation = Evaluation()
    for name, group, amount in (("a", "like", 5), ("b", "like", 5), ("c", None, 6)):
        one = Case("set", Path(name), ({"amount": 5.0},), group=group)
        evaluation.add(one, found(Section(1, 1, Extraction(amount=Decimal(amount)))))
    assert evaluation.total.header == (2, 3)
    assert evaluation.group_share == 0.5
