"""`invoices models details`: how right the details of invoices are, which nothing is calibrated on.

The truth is what the words' labels say: a detail is right if the document prints its value under its label. Labelled
documents of the validation split count (`--real`), and generated ones of layout families that are never trained on.
Details without a label of their own (tax numbers, IBANs, terms, orders) are not measured.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from rich.table import Table

from models.evaluation.calibrate import OF_ISSUER
from models.evaluation.console import figures_console
from models.evaluation.readings import ReadingCache
from models.training.generator import Profile, generate_validation
from models.training.labelled import Labelled
from models.training.questions import places_of_label
from models.training.real import few_of_each_issuer, read_real
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Detail
from serve_app.domain.labels import UNKNOWN, Label
from serve_app.extraction.extract import extract_with_evidence
from serve_app.extraction.notation.numbers import Style, decimal_style, parse_number
from serve_app.extraction.parties.names import normal_name, printed_name
from serve_app.reconciling.calibrations import load_calibration

LABELS = {
    Detail.BUYER_NAME: Label.BUYER,
    Detail.SUBTOTAL: Label.SUBTOTAL,
    Detail.SHIPPING: Label.SHIPPING,
    Detail.DISCOUNT: Label.DISCOUNT,
    Detail.AMOUNT_DUE: Label.AMOUNT_DUE,
    Detail.AMOUNT_PAID: Label.PAID,
}
FIRST_SEED = 800_000_000


@dataclass(slots=True)
class Tally:
    """Of one detail: documents that print it, values that were given and are right or wrong, and those of them that are
    `high`."""

    printed: int = 0
    given: Counter[bool] = field(default_factory=Counter)
    high: Counter[bool] = field(default_factory=Counter)


def main() -> None:
    """Read all documents and print a table for each kind."""
    arguments = _arguments()
    cache = ReadingCache(arguments.cache)
    for folder in arguments.real:
        labelled = few_of_each_issuer(read_real(folder, "validation"), OF_ISSUER)
        _show(folder.name, measure((document for document in labelled if document.document_type != "other"), cache))
    generated = (generate_validation(FIRST_SEED + index, Profile.EXTRACTOR) for index in range(arguments.documents))
    if arguments.documents:
        _show("generated", measure((sample for sample in generated if sample.is_invoice), cache))


def measure(documents: Iterable[Labelled], cache: ReadingCache) -> dict[Detail, Tally]:
    """How right each detail of the documents is."""
    tallies, calibration = {detail: Tally() for detail in LABELS}, load_calibration()
    for labelled in documents:
        extracted = extract_with_evidence(labelled.document, *cache.readings(labelled.document), calibration)
        found = extracted.extraction.details
        for detail, label in LABELS.items():
            truths = values_of(labelled.document, labelled.tags, label)
            tallies[detail].printed += bool(truths)
            value = getattr(found, detail.value, None)
            # Where words are unlabelled, a value that no label gives may be right.
            if found is None or value is None or not (truths or _is_whole(labelled.tags)):
                continue
            is_right = _normal(value) in truths
            tallies[detail].given[is_right] += 1
            if found.field_confidence[detail] is Confidence.HIGH:
                tallies[detail].high[is_right] += 1
    return tallies


def values_of(document: Document, tags: Sequence[Sequence[str]], label: Label) -> set[object]:
    """The normal forms of what is printed under a label: names, or amounts without their sign."""
    style = decimal_style(word.text for page in document.pages for word in page.words)
    texts = (
        " ".join(page.words[word].text for word in words)
        for page, mine in zip(document.pages, tags, strict=True)
        for words in places_of_label(mine, label)
    )
    values = (_value(text, label, style) for text in texts)
    return {_normal(value) for value in values if value is not None}


def _value(text: str, label: Label, style: Style) -> str | Decimal | None:
    return printed_name(text) if label is Label.BUYER else parse_number(text, style)


def _normal(value: object) -> object:
    return normal_name(value) if isinstance(value, str) else abs(Decimal(str(value)))


def _is_whole(tags: Sequence[Sequence[str]]) -> bool:
    return all(tag != UNKNOWN for page in tags for tag in page)


def _show(title: str, tallies: dict[Detail, Tally]) -> None:
    table = Table(title=title)
    for column in ("detail", "printed", "given", "right", "high", "right of high"):
        table.add_column(column)
    for detail, tally in tallies.items():
        given, high = tally.given.total(), tally.high.total()
        row = (tally.printed, given, tally.given[True], high, tally.high[True])
        table.add_row(detail.value, *map(str, row))
    figures_console().print(table)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models details", description=__doc__)
    real = "a folder of labelled documents (docs/how-to/train-models.md); may be repeated"
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="DIR", help=real)
    parser.add_argument("--documents", type=int, default=200, help="generated documents (default: %(default)s)")
    parser.add_argument("--cache", type=Path, default=Path("build/ranking"), help="the models' readings are kept here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
