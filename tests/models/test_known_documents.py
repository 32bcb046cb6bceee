"""Which documents the memory of vendors is measured on, and what counts as known about them."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.known_documents import KnownDocument, labelled_vendors, vendors_of_folder
from models.evaluation.vendor_memory import Figures, Read
from serve_app.domain.document import Document
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Confidence, Extraction, Field
from serve_app.domain.vendor import VendorDetails
from tests.models.test_real_documents import line, write


def write_folder(folder: Path, *truths: dict[str, Any]) -> Path:
    for kind in ("docs", "truth"):
        (folder / kind / "shop").mkdir(parents=True)
    for number, truth in enumerate(truths):
        (folder / "docs/shop" / f"{number}.html").write_text(f"<p>{truth['vendor_name']} Invoice {number}</p>")
        (folder / "truth/shop" / f"{number}.html.json").write_text(json.dumps(truth))
    return folder


def truth(name: str, number: str) -> dict[str, Any]:
    return {"vendor_name": name, "invoice_number": number, "amount": 10.0, "tax": 1.0, "_not_printed": ["tax"]}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where readings are kept: the same documents are read once."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(("versions", "counted"), [(False, [3]), (True, [4, 3])])
def test_versions_of_one_invoice_are_one_invoice(
    versions: bool, counted: list[int], cache: Path, tmp_path: Path
) -> None:
    truths = [truth("ACME", "1"), truth("Acme Ltd", "2"), truth("ACME", "3"), truth("ACME", "3")]
    truths += [truth("Bolt", "1")] * 3 + [truth("Once", "1")]
    vendors = list(vendors_of_folder(write_folder(tmp_path, *truths), cache, versions=versions))
    assert [len(documents) for documents in vendors] == counted
    assert all("tax" not in known.truth for documents in vendors for known in documents)


def test_labelled_issuers_with_three_invoices_count(tmp_path: Path) -> None:
    entries = [line(id=f"{issuer}{at}", issuer=issuer, split="validation") for issuer in "ab" for at in range(3)]
    entries[0]["doc_type"] = "other"
    (documents,) = labelled_vendors(write(tmp_path, *entries))
    assert [known.truth["_vendor_alt"] for known in documents] == [["ACME Ltd"]] * 3


def test_only_printed_values_are_counted_and_harm_is_what_was_right() -> None:
    known = KnownDocument(Document(()), {"vendor_name": "ACME", "due_at": None})
    before = Extraction(vendor_name="Acme", invoice_number="7")
    figures = Figures()
    found = Extraction(vendor_name="Bolt", field_confidence={Field.VENDOR: Confidence.HIGH})
    figures.add(2, Read(known, before, Evidence(), VendorDetails()), found)
    (((confirmed, field), count),) = figures.counts.items()
    assert (confirmed, field) == (2, Field.VENDOR)
    assert (count.printed, count.right, count.high, count.right_high, count.harmed, count.repaired) == (
        1,
        0,
        1,
        0,
        1,
        0,
    )
