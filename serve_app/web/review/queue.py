"""What needs a person: the list, and whose work it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Field, Invoice
from serve_app.domain.work import WorkCounts, WorkItem
from serve_app.services.bundle import Services
from serve_app.web.formats import Formats
from serve_app.web.invoices.view import title_of
from serve_app.web.pages import page, redirect
from serve_app.web.review.fields import HEADER
from serve_app.web.review.queue_filters import ORDERS, QUEUE, WHOSE, queue_filters_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer, Visitor

router = APIRouter(prefix="/review")

_PAGE = 50
_FURTHEST = 10_000


@dataclass(frozen=True, slots=True)
class Row:
    """One invoice of the list; `doubtful` are the names of the fields to look at, `holder` says who has it open now,
    `assignee` is whose it is."""

    item: WorkItem
    title: str
    doubtful: Sequence[str]
    holder: str
    assignee: str


@router.get("")
async def show_queue(request: Request, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The invoices that need a person."""
    filters = queue_filters_of(request.query_params)
    skip = _skip(request.query_params.get("skip", ""))
    account = visitor.account.id
    items = await services.work.waiting(account, filters.query(visitor.person.id), _PAGE + 1, skip)
    members = {
        member.person.id: member.person.called
        for member in await services.people.members.of_account(account)
        if member.role.may_review
    }
    rows = [_row(item, members, visitor.person.id) for item in items[:_PAGE]]
    more = f"{filters.path}{'&' if filters.state else '?'}skip={skip + _PAGE}"
    return page(
        request,
        visitor,
        "review/queue.html",
        rows=rows,
        filters=filters,
        orders=ORDERS,
        whose=WHOSE,
        people=members,
        counts=await services.work.counts(account, start_of_day()),
        start=_start(rows, filters.state),
        next_path=more if len(items) > _PAGE else "",
        first_path=filters.path if skip else "",
    )


@router.post("/assign")
async def assign(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Make the selected invoices a person's work, or nobody's."""
    form = await request.form()
    ids = [found for text in form.getlist("id") if (found := parse_id(str(text))) is not None]
    back = queue_filters_of({name: str(value) for name, value in form.items()}).path
    if not ids:
        return redirect(back, "Nothing was selected.")
    person = str(form.get("person", ""))
    try:
        done = await services.work.assign(visitor.account.id, ids, _person(person), visitor.actor)
    except InvalidParameter as error:
        return redirect(back, error.message)
    return redirect(back, f"{done} {'invoice' if done == 1 else 'invoices'} assigned.")


def start_of_day() -> datetime:
    """Midnight UTC: decisions are counted by day."""
    return datetime.combine(datetime.now(UTC).date(), time(), UTC)


async def progress(services: Services, visitor: Visitor, formats: Formats) -> str:
    """How much of today's work is done."""
    return words_for(await services.work.counts(visitor.account.id, start_of_day()), formats)


def words_for(counts: WorkCounts, formats: Formats) -> str:
    """The same in words."""
    return f"{formats.number(counts.decided)} of {formats.number(counts.decided + counts.waiting)} decided today"


def _person(text: str) -> UUID | None:
    """The person of the form, None for nobody. Raises InvalidParameter."""
    found = parse_id(text)
    if text and found is None:
        raise InvalidParameter("This person does not exist.")
    return found


def _holder(item: WorkItem, person_id: UUID) -> str:
    if item.lease is None:
        return ""
    return "You have it open" if item.lease.reader.person_id == person_id else f"{item.lease.reader.name} has it open"


def _row(item: WorkItem, members: Mapping[UUID, str], person_id: UUID) -> Row:
    return Row(
        item=item,
        title=title_of(item.invoice),
        doubtful=doubtful_fields(item.invoice),
        holder=_holder(item, person_id),
        assignee=members.get(item.assignee, "somebody else") if item.assignee else "",
    )


def doubtful_fields(invoice: Invoice) -> list[str]:
    """The names of the fields that are not sure, or that everybody needs and nobody has read. Of one that was drawn for
    the audit sample none: what the models think of it must not show."""
    if invoice.auto_verified:
        return []
    levels = invoice.field_confidence or {}
    names = [name for name in HEADER if name not in invoice.review.fields and _is_doubtful(Field(name), levels)]
    header = [HEADER[name][0] for name in names]
    is_kind_doubtful = invoice.document_type_confidence not in (None, Confidence.HIGH)
    are_lines_doubtful = levels.get(Field.LINE_ITEMS) not in (None, Confidence.HIGH)
    return [*header, *["Kind of document"] * is_kind_doubtful, *["Lines"] * are_lines_doubtful]


def _is_doubtful(field: Field, levels: Mapping[Field, Confidence]) -> bool:
    """A field without a level was not found."""
    level = levels.get(field)
    return field in VERIFIED_BY if level is None else level is not Confidence.HIGH


def _start(rows: Sequence[Row], state: str) -> str:
    """The first invoice that nobody has open."""
    free = next((row for row in rows if not row.holder), None)
    return f"{QUEUE}/{free.item.invoice.id}{state}" if free else ""


def _skip(text: str) -> int:
    return min(int(text), _FURTHEST) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
