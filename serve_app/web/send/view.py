"""What was sent lately, and where it is on its way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.invoice import Invoice, Source, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.queue_state import Stage
from serve_app.services.bundle import Services
from serve_app.web.invoices.view import COUNTED, Label, state_of, title_of

_SHOWN = 30
_OF_BATCH = 100


@dataclass(frozen=True, slots=True)
class Sent:
    """One file, with the invoices that were found in it. `place` is its place in the account's queue while it waits:
    1 is next. `stage` is how far its run is."""

    invoices: Sequence[Invoice]
    place: int | None
    stage: Stage | None

    @property
    def first(self) -> Invoice:
        return self.invoices[0]

    @property
    def name(self) -> str:
        return self.first.file.name or title_of(self.first)

    @property
    def state(self) -> Label:
        return state_of(self.first)

    @property
    def step(self) -> int:
        """How far it is: 1 waiting, 2 its pages are read, 3 with the two models, 4 finished."""
        match self.first.status:
            case Status.QUEUED:
                return 1
            case Status.PROCESSING:
                return 3 if self.stage is Stage.MODELS else 2
            case _:
                return 4


@dataclass(frozen=True, slots=True)
class SentList:
    files: Sequence[Sent]

    @property
    def is_open(self) -> bool:
        """Whether anything is still on its way."""
        return any(not file.first.is_finished for file in self.files)


async def sent_lately(services: Services, account_id: UUID) -> SentList:
    """The files that people of the account sent last, newest first."""
    page = await services.invoices.list(account_id, InvoiceQuery(source=Source.APP), _SHOWN)
    places = await _places(services, account_id, page.items)
    running = [invoice.id for invoice in page.items if invoice.status is Status.PROCESSING]
    stages = await services.stages.of(account_id, running) if running else {}
    files = _files_of(page.items)
    return SentList([Sent(file, places.get(file[0].id), stages.get(file[0].id)) for file in files])


def _files_of(invoices: Sequence[Invoice]) -> list[list[Invoice]]:
    """The invoices by the file that they came in, in the order of its pages."""
    files: dict[UUID, list[Invoice]] = {}
    for invoice in invoices:
        files.setdefault(invoice.batch.id if invoice.batch else invoice.id, []).append(invoice)
    return [sorted(file, key=lambda invoice: invoice.id) for file in files.values()]


async def _places(services: Services, account_id: UUID, invoices: Sequence[Invoice]) -> Mapping[UUID, int]:
    waiting = [invoice for invoice in invoices if invoice.status is Status.QUEUED]
    places = {}
    for invoice in waiting:
        before = InvoiceQuery(status=Status.QUEUED, created_before=invoice.created_at)
        totals = await services.invoices.totals(account_id, before, COUNTED)
        places[invoice.id] = 1 + sum(total.count for total in totals)
    return places
