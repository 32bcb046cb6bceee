"""How a person cuts a file into invoices: which pages belong together, in which order, and which belong to none."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from serve_app.domain.clock import month_start
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Batch, Invoice
from serve_app.domain.record import InvoiceRecord

TURNS = (0, 90, 180, 270)


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sheet(_Kept):
    """A page of the file, 1-based, turned to the right by so many degrees beyond what the file says."""

    page: int
    turn: int = 0


Part = tuple[Sheet, ...]
"""The pages of one invoice."""


class Piece(_Kept):
    """One invoice of the new set: the invoice that has these pages already, or one that will be read. `first_page` and
    `last_page` are those in the file that the plan leaves."""

    invoice_id: UUID
    is_new: bool
    first_page: int
    last_page: int


class CutPlan(_Kept):
    """What it takes to cut a file anew. It is kept until it is carried out, so that a crash only delays it.

    `file_key` is the file of the new set. It is another one than `old_file_key` if pages are moved or turned: then
    `sheets` are the pages that it is bound of. Each invoice that is `removed` comes with the month whose unit it
    gives back, None if that month is over.
    """

    id: UUID
    account_id: UUID
    old_file_key: str
    file_key: str
    batch_id: UUID
    sheets: tuple[Sheet, ...] = ()
    pieces: tuple[Piece, ...]
    removed: dict[UUID, datetime | None]
    made_at: datetime

    @property
    def added(self) -> int:
        """Units of the quota that it takes."""
        return sum(piece.is_new for piece in self.pieces)

    @property
    def returned(self) -> int:
        """Units that it gives back."""
        return sum(month is not None for month in self.removed.values())

    @property
    def cost(self) -> int:
        """Units of the quota that it costs in all; negative if it returns more than it takes."""
        return self.added - self.returned

    @property
    def is_empty(self) -> bool:
        """Whether it leaves everything as it is."""
        return self.added == 0 and not self.removed

    def placed(self, piece: Piece) -> Batch:
        """The place of an invoice in the new set."""
        index = self.pieces.index(piece) + 1
        return Batch(
            id=self.batch_id,
            index=index,
            count=len(self.pieces),
            first_page=piece.first_page,
            last_page=piece.last_page,
        )


def pages_of(invoice: Invoice) -> tuple[int, int]:
    """The first and the last page of its file that are an invoice's."""
    return (1, invoice.pages or 1) if invoice.batch is None else (invoice.batch.first_page, invoice.batch.last_page)


def plan_of(records: Sequence[InvoiceRecord], pages: int, parts: Sequence[Part], now: datetime) -> CutPlan:
    """The plan that leads from the invoices of a file of so many pages to these parts. An invoice whose pages stay as
    they are stays, too, as do several that share a page. Raises InvalidParameter for parts that cannot be."""
    _check(parts, pages)
    first = records[0]
    is_rebound = any(not _is_run(part) for part in parts) or _runs(parts) != sorted(_runs(parts))
    there: dict[tuple[int, int], list[UUID]] = {}
    for record in () if is_rebound else records:
        there.setdefault(pages_of(record.invoice), []).append(record.invoice.id)
    new_file = new_id()
    pieces: list[Piece] = []
    at = 1
    for number, part in enumerate(parts):
        span = (at, at + len(part) - 1) if is_rebound else (part[0].page, part[-1].page)
        fresh = new_file if is_rebound and number == 0 else new_id()
        pieces += [
            Piece(invoice_id=id, is_new=span not in there, first_page=span[0], last_page=span[1])
            for id in there.get(span, [fresh])
        ]
        at += len(part)
    old_batch = UUID(first.file_key.rpartition("/")[2])
    staying = {piece.invoice_id for piece in pieces}
    return CutPlan(
        id=new_id(),
        account_id=first.account_id,
        old_file_key=first.file_key,
        file_key=f"{first.account_id}/{new_file}" if is_rebound else first.file_key,
        batch_id=new_file if is_rebound else old_batch,
        sheets=_bound(parts, pages) if is_rebound else (),
        pieces=tuple(pieces),
        removed={record.invoice.id: _unit_of(record, now) for record in records if record.invoice.id not in staying},
        made_at=now,
    )


def _unit_of(record: InvoiceRecord, now: datetime) -> datetime | None:
    """The month whose unit the invoice gives back; what earlier months paid for is settled."""
    month = month_start(now)
    return month if record.invoice.created_at >= month else None


def _check(parts: Sequence[Part], pages: int) -> None:
    sheets = [sheet for part in parts for sheet in part]
    numbers = [sheet.page for sheet in sheets]
    if not parts or not all(parts):
        raise InvalidParameter("Each invoice needs at least one page.")
    if len(set(numbers)) != len(numbers) or not set(numbers) <= set(range(1, pages + 1)):
        raise InvalidParameter(f"Each page from 1 to {pages} can belong to one invoice only.")
    if any(sheet.turn not in TURNS for sheet in sheets):
        raise InvalidParameter("Pages are turned by 0, 90, 180 or 270 degrees.")


def _is_run(part: Part) -> bool:
    """Whether the pages follow each other in the file as they are."""
    return all(sheet == Sheet(page=part[0].page + place) for place, sheet in enumerate(part))


def _runs(parts: Sequence[Part]) -> list[int]:
    return [part[0].page for part in parts]


def _bound(parts: Sequence[Part], pages: int) -> tuple[Sheet, ...]:
    """The pages of the new file: those of the invoices, then those that belong to none, so that nothing is lost."""
    used = [sheet for part in parts for sheet in part]
    numbers = {sheet.page for sheet in used}
    return (*used, *(Sheet(page=page) for page in range(1, pages + 1) if page not in numbers))
