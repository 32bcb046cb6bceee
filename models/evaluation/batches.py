"""`python -m models.evaluation.batches`: how well generated files of several invoices are split.

Every file is drawn from layout families that no model was trained on, rendered to a PDF and read back; every other one
is an order's invoices, a stack of receipts or documents with sheets between them. Readings are kept in a folder, so
that an interrupted run can be resumed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from models.evaluation.readings import ReadingCache
from models.training.batches import Batch, generate_batch
from models.training.bundles import generate_bundle
from models.training.render import render_pdf
from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Document
from serve_app.extraction.split import Part, split

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


def main() -> None:
    """Split the files and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.batches", description=__doc__)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--cache", type=Path, default=Path("build/batches"), help="the models' readings are kept here")
    arguments = parser.parse_args()
    tally = SplitTally()
    for batch, parts in _split_files(arguments.files, ReadingCache(arguments.cache)):
        tally.add(batch, parts)
        if tally.files % 25 == 0:
            sys.stdout.write(f"-- after {tally.files} files\n{tally.report()}\n")
    sys.stdout.write(f"== {tally.files} files\n{tally.report()}\n")


def _split_files(files: int, readings: ReadingCache) -> Iterator[tuple[Batch, list[Part]]]:
    for seed in range(files):
        draw = generate_bundle if seed % 2 else generate_batch
        batch = draw(seed, held_out=True)
        document = Document(read_text_layer(render_pdf(batch.document), LIMITS))
        yield batch, split(readings.evidence(document))


def _roles(parts: list[tuple[int, int]] | tuple[tuple[int, int], ...], count: int) -> list[str]:
    roles = ["foreign"] * count
    for first, last in parts:
        roles[first - 1 : last] = ["begins", *["continues"] * (last - first)]
    return roles


if __name__ == "__main__":
    main()
