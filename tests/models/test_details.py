"""How right details are is told by the labels of the words."""

from decimal import Decimal
from pathlib import Path

import pytest

from models.evaluation.details import main, values_of
from models.training.generator import Profile, generate_validation
from serve_app.domain.labels import Label
from tests.extraction.pages import document_of


def test_the_values_under_a_label_are_the_truth() -> None:
    document = document_of(["Bill to Beispiel AG", "Discount - 1.50", "Discount 2.00"])
    tags = ("O", "O", "B-BUYER", "I-BUYER", "O", "B-DISCOUNT", "I-DISCOUNT", "O", "B-DISCOUNT")
    assert values_of(document, (tags,), Label.DISCOUNT) == {Decimal("1.50"), Decimal("2.00")}
    assert values_of(document, (tags,), Label.BUYER) == {"beispiel"}
    assert values_of(document, (tags,), Label.SHIPPING) == set()


def test_details_of_generated_documents_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["details", "--documents", "2", "--cache", str(tmp_path)])
    main()
    rows = {line.split("│")[1].strip(): line.split("│") for line in capsys.readouterr().out.splitlines() if "│" in line}
    printed = [generate_validation(800_000_000 + index, Profile.EXTRACTOR) for index in range(2)]
    labels = {tag for sample in printed for page in sample.tags for tag in page}
    assert (int(rows["subtotal"][2]) > 0) == ("B-SUBTOTAL" in labels)
    assert all(int(row[3]) >= int(row[4]) >= 0 for name, row in rows.items() if name != "detail")
