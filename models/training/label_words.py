"""`invoices data words DIR`: label the words of documents with known values, so that models can learn from them.

Written to `DIR/labelled.jsonl`. A word of a value has its tag; of all others nothing is known, so training leaves them
out of the loss.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from models.evaluation.dataset import Case, Truth, load_dataset
from models.evaluation.formats.places import printed_values
from models.evaluation.formats.record import Printed
from models.evaluation.formats.values import LABELS
from models.training.own_documents import LABELLED
from models.training.real import page_entry
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.domain.document import Page, TextSource
from serve_app.domain.errors import DocumentError
from serve_app.domain.labels import UNKNOWN
from serve_app.domain.user_error import UserError
from serve_app.settings.reading import read_settings
from serve_app.system.whole_files import whole_file


def main() -> None:
    """Read the documents, write their labelled words, and say what was left out. Raises UserError for a folder
    without documents."""
    arguments = _arguments()
    documents = labels = 0
    with (
        closing(Supervisor(read_settings().read_options())) as reader,
        whole_file(_new(arguments.folder / LABELLED)) as path,
        path.open("w", encoding="utf-8") as out,
    ):
        for case in load_dataset(arguments.folder):
            if len(case.truths) != 1:
                _say(f"left out: {case.name} does not hold one invoice")
                continue
            try:
                pages = reader.read_next(case.path.read_bytes()).pages
            except DocumentError as error:
                _say(f"left out: {case.name}: {error.message}")
                continue
            printed = printed_values(case.truths[0], pages)
            out.write(json.dumps(labelled_words(case, pages, printed, arguments.split), ensure_ascii=False) + "\n")
            documents, labels = documents + 1, labels + len(printed)
    _say(f"{documents} documents with {labels} values on their pages; written: {arguments.folder / LABELLED}")


def labelled_words(case: Case, pages: Sequence[Page], printed: Sequence[Printed], split: str) -> dict[str, Any]:
    """A document as a line of the file (docs/how-to/train-models.md)."""
    truth = case.truths[0]
    return {
        "id": case.name,
        "source": case.source or case.set,
        "issuer": case.group,
        "kind": "scan" if any(page.source is TextSource.OCR for page in pages) else "text-pdf",
        "doc_type": truth.get("doc_type") or "invoice",
        "split": split,
        "pages": [page_entry(page) for page in pages],
        "labels": [list(_tags(page, index, printed)) for index, page in enumerate(pages)],
        "values": _values(truth),
    }


def _tags(page: Page, index: int, printed: Sequence[Printed]) -> Iterator[str]:
    tags = {
        word: f"{'I' if position else 'B'}-{LABELS[value.key]}"
        for value in printed
        if value.page == index
        for position, word in enumerate(value.words)
    }
    return (tags.get(word, UNKNOWN) for word in range(len(page.words)))


def _values(truth: Truth) -> dict[str, Any]:
    return {key: value for key, value in truth.items() if key != "doc_type" and not key.startswith("_")}


def _new(path: Path) -> Path:
    if path.exists():
        raise UserError(f"{path} is already there: remove it to label the words again")
    return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices data words", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="documents in docs/, their known values in truth/")
    parser.add_argument(
        "--split", choices=("train", "validation"), default="train", help="what they are for (default: %(default)s)"
    )
    return parser.parse_args()


def _say(message: str) -> None:
    sys.stdout.write(f"{message}\n")


if __name__ == "__main__":
    main()
