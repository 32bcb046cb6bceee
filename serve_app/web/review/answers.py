"""What the scripts of the review screen ask for and send, as JSON."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serve_app.domain.coding import MAX_POSTINGS
from serve_app.domain.errors import InvalidParameter, LimitReached, MailNotSent, ReviewChanged, ServiceError
from serve_app.domain.review_answer import ReviewAnswer
from serve_app.domain.work import Lease, Reader, reader_of
from serve_app.http.bodies import Body, read_body
from serve_app.http.coding_body import CodingBody, PostingBody
from serve_app.http.error_table import answer_to
from serve_app.http.review_body import ReviewBody
from serve_app.services.review.change import ReviewChange
from serve_app.web.formats import formats_of
from serve_app.web.query_parameters import require_id
from serve_app.web.review.entries import change_of_entries, review_entries
from serve_app.web.review.fields import OwnInputs, own_inputs
from serve_app.web.review.queue import progress
from serve_app.web.review.queue_filters import next_path, queue_filters_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer, Visitor

router = APIRouter(prefix="/review/{id}")


class StepBody(Body):
    """Which review is seen."""

    revision: Annotated[int, Field(ge=0)]


class EntryBody(ReviewBody):
    """What stands in the inputs of the screen, as the API's body."""

    language: Annotated[str, Field(max_length=40)] | None = None
    """The language tag in which all values are typed; without it, they are those of the API."""
    postings: Annotated[list[PostingBody], Field(min_length=1, max_length=MAX_POSTINGS)] | None = None
    """What the invoice is booked on; without it, that stays."""

    def entered(self, own: OwnInputs) -> ReviewChange:
        """The same change for the service; `own` are the inputs of own fields. Raises InvalidParameter."""
        change = self.change()
        return change if self.language is None else change_of_entries(change, formats_of(self.language), own)


class LeaseBody(Body):
    """Which window has the review open."""

    window: Annotated[str, Field(min_length=1, max_length=100)]
    take_over: bool = False
    opens: bool = False
    """Whether the window has just shown it: then no other window of the same person keeps it."""


@router.post("/lease")
async def keep_open(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Open the review, or keep it open: whose it is now, its revision, and what comes next for this window."""
    invoice_id, account = require_id(id), visitor.account.id
    body = await read_body(request, LeaseBody)
    reader = reader_of(visitor.person, body.window)
    lease = await _take(services, body)(account, invoice_id, reader)
    filters = queue_filters_of(request.query_params)
    review = await services.reviews.get(account, invoice_id)
    return JSONResponse(
        {
            "is_mine": lease.reader.window == body.window,
            "is_own": lease.reader.person_id == visitor.person.id,
            "name": lease.reader.name,
            "revision": review.revision,
            "next": await next_path(services, visitor, filters, body.window, invoice_id),
            "progress": await progress(services, visitor, formats_of(request.headers.get("accept-language", ""))),
        }
    )


def _take(services: AnyServices, body: LeaseBody) -> Callable[[UUID, UUID, Reader], Awaitable[Lease]]:
    if body.take_over:
        return services.work.take_over
    return services.work.come_back if body.opens else services.work.open


@router.post("/lease/release")
async def release_lease(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """The window has moved on."""
    body = await read_body(request, LeaseBody)
    await services.work.close(visitor.account.id, require_id(id), body.window)
    return Response(status_code=204)


@router.post("/later")
async def snooze(id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """The person wants to decide after the others."""
    await services.work.snooze(visitor.account.id, require_id(id), visitor.person.id)
    return JSONResponse({})


@router.get("/data")
async def get_data(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The review as it is now."""
    invoice_id = require_id(id)
    return await _answer(request, services, visitor, invoice_id, services.reviews.get(visitor.account.id, invoice_id))


@router.put("/data")
async def put_data(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Change the review, as by the API."""
    invoice_id = require_id(id)

    async def change() -> ReviewAnswer:
        body = await read_body(request, EntryBody)
        account = visitor.account.id
        change = body.entered(own_inputs(await services.own_fields.list_all(account)))
        postings = CodingBody(postings=body.postings).new_postings()
        if postings is not None:
            invoice = await services.invoices.get(account, invoice_id)
            coding = await services.coding.change_of(account, invoice, postings, visitor.actor)
            change = replace(change, coding=coding)
        return await services.reviews.change(account, invoice_id, body.revision, change, visitor.actor)

    return await _answer(request, services, visitor, invoice_id, change())


@router.post("/undo")
async def undo(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Take the last change back."""
    return await _step(request, services, visitor, require_id(id), is_undo=True)


@router.post("/redo")
async def redo(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Make the change again that was undone last."""
    return await _step(request, services, visitor, require_id(id), is_undo=False)


@router.post("/tell")
async def notify(id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Tell the sender that the invoice was rejected."""
    return JSONResponse({"message": await notify_sender(services, visitor, require_id(id))})


async def notify_sender(services: AnyServices, visitor: Visitor, id: UUID) -> str:
    """The same; what became of it, in words."""
    try:
        return f"{await services.rejection_mails.send(visitor.account.id, id, visitor.actor)} was notified."
    except (InvalidParameter, LimitReached, MailNotSent) as error:
        return f"The sender was not notified. {error.message}"


@router.get("/words/{number}")
async def get_words(id: str, number: int, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The words of a page, and their places."""
    invoice_id = require_id(id)
    found = await services.reviews.page(visitor.account.id, invoice_id, number, "")
    return Response(found.model_dump_json(include={"page", "words"}), media_type="application/json")


async def _step(request: Request, services: AnyServices, visitor: Visitor, id: UUID, *, is_undo: bool) -> Response:
    async def step() -> ReviewAnswer:
        body = await read_body(request, StepBody)
        verb = services.reviews.undo if is_undo else services.reviews.redo
        return await verb(visitor.account.id, id, body.revision, visitor.actor)

    return await _answer(request, services, visitor, id, step())


async def _answer(
    request: Request, services: AnyServices, visitor: Visitor, id: UUID, work: Awaitable[ReviewAnswer]
) -> Response:
    """The review, or what is wrong; with a revision that is old, also the review as it is now."""
    own = own_inputs(await services.own_fields.list_all(visitor.account.id))
    try:
        return JSONResponse(_with_entries(request, await work, own))
    except ReviewChanged as error:
        latest = await services.reviews.get(visitor.account.id, id)
        return JSONResponse({"message": error.message, "review": _with_entries(request, latest, own)}, 409)
    except ServiceError as error:
        answer = answer_to(error)
        return JSONResponse({"message": error.message}, answer.status, answer.headers)


def _with_entries(request: Request, review: ReviewAnswer, own: OwnInputs) -> dict[str, Any]:
    """The review, and the texts of its inputs in the person's language."""
    formats = formats_of(request.headers.get("accept-language", ""))
    return review.model_dump(mode="json") | {"entries": review_entries(review, formats, own)}
