"""What every format is read into and written from."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from models.evaluation.compare import HEADER, is_absent
from models.evaluation.dataset import Case, Truth
from serve_app.domain.document import Box, Page, union
from serve_app.domain.user_error import UserError
from serve_app.extraction.dates.dates import Order


class FormatError(UserError):
    """A dataset that is not in the format that was named; the message names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A document of another format with what it states of it. `unclear`: keys whose printed text has no certain value,
    such as "03/04/2025"; the truth leaves them out, so they are not scored."""

    set: str
    name: str
    data: bytes
    truth: Truth
    unclear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """A value of the truth where its page (an index) prints it. `row` is the index of a line item."""

    key: str
    text: str
    page: int
    words: tuple[int, ...]
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """A document as it was read, a picture of each page, and where it prints what. `predicted` is what the models read,
    if they were asked."""

    case: Case
    data: bytes
    pages: tuple[Page, ...]
    pictures: tuple[bytes, ...]
    printed: tuple[Printed, ...] = ()
    predicted: tuple[Printed, ...] | None = None

    @property
    def stem(self) -> str:
        """The file's name without dots: other formats name a picture and its labels alike."""
        return self.case.path.name.replace(".", "_")

    @property
    def truth(self) -> Truth:
        """The only one: files of several invoices or of none are not exported. Empty if the file is unlabelled."""
        return self.case.truths[0] if self.case.truths else {}

    def text(self, key: str) -> str | None:
        """A value as its page prints it; else as the truth writes it. None if the document has no such value."""
        value = self.truth.get(key)
        found = next((each.text for each in self.printed if each.key == key and each.row is None), None)
        return found or (None if value in (None, "") else str(value))

    def rows(self) -> list[dict[str, str]]:
        """The line items, each cell as printed; else as the truth writes it."""
        rows = [
            {cell: str(row[cell]) for cell in CELLS if row.get(cell) is not None}
            for row in self.truth.get("line_items") or []
        ]
        for each in self.printed:
            if each.row is not None:
                rows[each.row][each.key] = each.text
        return rows

    def unlabelled(self) -> list[str]:
        """Keys that the places say nothing about: the truth does not have them, or not all of their values were found.
        A format in which no place means no value needs them beside."""
        places = {(each.key, each.row) for each in self.printed}
        rows = self.truth.get("line_items")
        found = rows is not None and all(
            (cell, index) in places for index, row in enumerate(rows) for cell in CELLS if row.get(cell) is not None
        )
        header = [
            key for key in HEADER if key not in self.truth or not (is_absent(self.truth[key]) or (key, None) in places)
        ]
        return header if found else [*header, "line_items"]

    def box(self, each: Printed) -> Box:
        """The place of a value on its picture, in fractions."""
        page = self.pages[each.page]
        return page.shown(union(page.words[word].box for word in each.words))


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """`order` of day and month, for dates that may be read in two ways. `name`: what sets are named after."""

    name: str
    order: Order | None = None


Write = Callable[[Iterable[Exported], Path], None]


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is read and written. `single`: it has a page a document, so documents of more pages stay behind.
    `unlabelled`: it takes documents without a truth, which people are to label. `upright`: its pictures are those that
    models are shown (`draw_page`, PNG); else a JPEG of the page as its file shows it."""

    read: Callable[[Path, ImportOptions], Iterator[Imported]]
    write: Write
    single: bool = False
    unlabelled: bool = False
    upright: bool = False


UNLABELLED = "unlabelled"
"""A key of our own in exported labels (`Exported.unlabelled`). Readers of other formats ignore it."""
CELLS = ("description", "quantity", "unit_price")
