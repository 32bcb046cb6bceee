"""`invoices models batches`: how well generated files of several invoices are split.

Every file is drawn from layout families that no model was trained on, rendered to a PDF and read back; every other one
is an order's invoices, a stack of receipts or documents with sheets between them. Readings are kept in a folder, so
that an interrupted run can be resumed. `--mixed` puts further files together from the documents that were read.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Self

from models.evaluation.readings import ReadingCache
from models.training.batches import Batch, generate_batch
from models.training.bundles import generate_bundle
from models.training.render import render_pdf
from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Document
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.split import Part, split
from serve_app.extraction.split.features import FEW_WORDS

# Above the service's own cap, so that no file is rejected.
LIMITS = Limits(max_pages=1000)


@dataclass(slots=True)
class SplitTally:
    """Counts over files. A page begins an invoice, continues one, or belongs to none."""

    files: int = 0
    exact: int = 0
    pages: Counter[bool] = field(default_factory=Counter)
    begins: Counter[str] = field(default_factory=Counter)
    several_pages: int = 0
    wrongly_split: int = 0

    def add(self, batch: Batch, parts: list[Part]) -> None:
        """Count one file."""
        found = [(part.first_page, part.last_page) for part in parts]
        count = len(batch.document.pages)
        true_roles, roles = _roles(batch.parts, count), _roles(found, count)
        self.files += 1
        self.exact += found == list(batch.parts)
        self.pages.update(one == other for one, other in zip(true_roles, roles, strict=True))
        for one, other in zip(true_roles, roles, strict=True):
            self.begins[f"{one == 'begins'}{other == 'begins'}"] += 1
        for first, last in batch.parts:
            self.several_pages += last > first
            self.wrongly_split += "begins" in roles[first:last]

    @property
    def begins_f1(self) -> float:
        """F1 of "this page begins an invoice"."""
        right, missed, invented = (self.begins[key] for key in ("TrueTrue", "TrueFalse", "FalseTrue"))
        return 2 * right / (2 * right + missed + invented)

    def report(self) -> str:
        """The figures, one per line."""
        total = self.pages.total()
        return "\n".join(
            (
                f"files split exactly: {self.exact} of {self.files} ({self.exact / self.files:.1%})",
                f"pages in the right role: {self.pages[True]} of {total} ({self.pages[True] / total:.1%})",
                f'F1 of "a page begins an invoice": {self.begins_f1:.3f}',
                f"invoices of several pages wrongly split: {self.wrongly_split} of {self.several_pages} "
                f"({self.wrongly_split / max(1, self.several_pages):.2%})",
            )
        )


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A file, and what the models see on its pages."""

    batch: Batch
    pages: Sequence[PageEvidence]

    def mixed(self, rng: Random) -> Self:
        """Some documents of the file in another order, each behind its sheets."""
        groups = list(self._groups())
        chosen = rng.sample(groups, rng.randint(min(2, len(groups)), len(groups)))
        pages: list[PageEvidence] = []
        parts: list[tuple[int, int]] = []
        for group in chosen:
            parts += [(len(pages) + 1 + first, len(pages) + 1 + last) for first, last in self._parts_in(group)]
            pages += [self.pages[index] for index in group]
        numbered = [replace(each, page=replace(each.page, number=at)) for at, each in enumerate(pages, 1)]
        return replace(self, batch=Batch(Document(tuple(each.page for each in numbered)), tuple(parts)), pages=numbered)

    def _groups(self) -> Iterator[range]:
        """The pages (from 0) of each document, with the pages of few words of other documents before it."""
        start, origins = 0, self.batch.origins
        for index, origin in enumerate(origins):
            is_last = index + 1 == len(origins) or origins[index + 1] != origin
            if is_last and (self._is_of_invoice(index) or len(self.pages[index].page.words) >= FEW_WORDS):
                yield range(start, index + 1)
                start = index + 1

    def _is_of_invoice(self, index: int) -> bool:
        return any(first <= index + 1 <= last for first, last in self.batch.parts)

    def _parts_in(self, group: range) -> Iterator[tuple[int, int]]:
        """The invoices on some pages, counted from the first of these."""
        for first, last in self.batch.parts:
            if first - 1 in group:
                yield first - 1 - group.start, last - 1 - group.start


def main() -> None:
    """Split the files and print the figures."""
    parser = argparse.ArgumentParser(prog="invoices models batches", description=__doc__)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first file")
    parser.add_argument("--mixed", type=int, default=0, help="how many further files are put together")
    parser.add_argument("--cache", type=Path, default=Path("build/batches"), help="the models' readings are kept here")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.files)
    read = list(_report("files", _read(seeds, ReadingCache(arguments.cache))))
    rng = Random(f"mixed/{arguments.first}")  # noqa: S311 - documents, no secret
    for _ in _report("mixed files", (rng.choice(read).mixed(rng) for _ in range(arguments.mixed if read else 0))):
        pass


def _report(name: str, files: Iterable[ReadBatch]) -> Iterator[ReadBatch]:
    """The files, with the figures of how they are split printed now and then."""
    tally = SplitTally()
    for each in files:
        tally.add(each.batch, split(each.pages).parts)
        if tally.files % 100 == 0:
            sys.stdout.write(f"-- after {tally.files} {name}\n{tally.report()}\n")
        yield each
    if tally.files:
        sys.stdout.write(f"== {tally.files} {name}\n{tally.report()}\n")


def _read(seeds: range, readings: ReadingCache) -> Iterator[ReadBatch]:
    for seed in seeds:
        draw = generate_bundle if seed % 2 else generate_batch
        batch = draw(seed, held_out=True)
        document = Document(read_text_layer(render_pdf(batch.document), LIMITS))
        yield ReadBatch(batch, readings.evidence(document))


def _roles(parts: list[tuple[int, int]] | tuple[tuple[int, int], ...], count: int) -> list[str]:
    roles = ["foreign"] * count
    for first, last in parts:
        roles[first - 1 : last] = ["begins", *["continues"] * (last - first)]
    return roles


if __name__ == "__main__":
    main()
