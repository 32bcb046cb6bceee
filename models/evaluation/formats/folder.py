"""The folder of documents with their truth, as what other formats are read into and written from."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.evaluation.dataset import Case, DatasetError, load_dataset
from models.evaluation.formats.places import printed_values
from models.evaluation.formats.record import Exported, Format, FormatError, Imported, Printed
from models.evaluation.unlabelled import document_files
from serve_app.domain.document import Document, Page
from serve_app.domain.errors import DocumentError

Read = Callable[[bytes], Document]
Show = Callable[[bytes, int], bytes]
Draw = Callable[[bytes, Page], bytes]
Predict = Callable[[Document, bytes], dict[str, object] | None]


@dataclass(slots=True)
class Summary:
    """What became of a dataset: documents taken, keys without a certain value, and documents left out, by reason."""

    taken: int = 0
    unclear: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterator[str]:
        """What to print."""
        yield f"{self.taken} documents"
        for key, count in self.unclear.most_common():
            yield f"{count} without {key}: the printed text has no certain value"
        for reason, count in self.left_out.most_common():
            yield f"{count} left out: {reason}"


def write_folder(found: Iterable[Imported], out: Path) -> Summary:
    """Write documents and truths. Raises FormatError if there is none, or if a file is already there."""
    summary = Summary()
    for each in found:
        document, truth = out / "docs" / each.set / each.name, out / "truth" / each.set / f"{each.name}.json"
        if document.exists() or truth.exists():
            raise FormatError(f"{document} already exists: import into another folder")
        for path in (document, truth):
            path.parent.mkdir(parents=True, exist_ok=True)
        document.write_bytes(each.data)
        truth.write_text(json.dumps(each.truth, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        summary.taken += 1
        summary.unclear.update(each.unclear)
    if not summary.taken:
        raise FormatError("no labelled documents were found")
    return summary


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the documents of a folder, with pictures of their pages; `predict` asks the models."""

    read: Read
    show: Show
    draw: Draw
    predict: Predict | None = None

    def documents(self, cases: Sequence[Case], form: Format, summary: Summary) -> Iterator[Exported]:
        """The documents that a format can have; the summary counts them and the others."""
        for case in cases:
            if reason := _unsuitable(case, form):
                summary.left_out[reason] += 1
                continue
            data = case.path.read_bytes()
            try:
                document = self.read(data)
                if form.single and len(document.pages) != 1:
                    summary.left_out["the format has one page for each document"] += 1
                    continue
                pictures = tuple(self._picture(data, page, form) for page in document.pages)
            except DocumentError as error:
                summary.left_out[f"{error.code}: {error.message}"] += 1
                continue
            summary.taken += 1
            yield self._exported(case, data, document, pictures)

    def _picture(self, data: bytes, page: Page, form: Format) -> bytes:
        return self.draw(data, page) if form.upright else self.show(data, page.number)

    def _exported(self, case: Case, data: bytes, document: Document, pictures: tuple[bytes, ...]) -> Exported:
        predicted: tuple[Printed, ...] | None = None
        if self.predict is not None and (values := self.predict(document, data)) is not None:
            predicted = printed_values(values, document.pages)
        printed = printed_values(case.truths[0], document.pages) if case.truths else ()
        return Exported(case, data, document.pages, pictures, printed, predicted)


def cases_of(folder: Path, sets: Sequence[str], form: Format) -> list[Case]:
    """The documents of a folder. If the format takes unlabelled ones, all files of a folder without a truth. Raises
    DatasetError if there are none."""
    if form.unlabelled and not (folder / "truth").is_dir():
        cases = [Case(folder.name, path, ()) for path in document_files(folder)]
    else:
        cases = load_dataset(folder)
    chosen = [case for case in cases if not sets or case.set in sets]
    if not chosen:
        named = f" of {', '.join(sets)}" if sets else ""
        raise DatasetError(f"{folder} has no documents{named}")
    return chosen


def _unsuitable(case: Case, form: Format) -> str | None:
    if len(case.truths) > 1:
        return "several invoices in one file"
    if not case.truths and not (form.unlabelled and case.expect is None):
        return "no invoice"
    return None
