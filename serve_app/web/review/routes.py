"""The review screen: a page that works as a form, and the answers that its scripts ask for."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter, ReviewChanged
from serve_app.domain.invoice import CheckKind, Invoice, ReviewStatus, Status
from serve_app.web.formats import formats_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.review.answers import notify_sender
from serve_app.web.review.coding import CodingView, coding_view, postings_in
from serve_app.web.review.fields import own_inputs
from serve_app.web.review.forms import ambiguous_entries, change_in, texts_of
from serve_app.web.review.queue import progress
from serve_app.web.review.queue_filters import next_path, queue_filters_of
from serve_app.web.review.view import ReviewView, review_view
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer, Visitor

router = APIRouter(prefix="/review")

_REJECTED = ReviewStatus.REJECTED
_SAID = {
    ReviewStatus.CONFIRMED: "The invoice was confirmed.",
    ReviewStatus.REJECTED: "The invoice was rejected.",
    None: "Saved.",
}


@router.get("/{id}")
async def show_review(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """An invoice beside its pages, to be decided on; one that is not read yet is shown as it is."""
    view = await _view(request, services, visitor, require_id(id))
    if view.invoice.status is not Status.COMPLETE:
        return redirect(f"/app/invoices/{view.invoice.id}")
    return page(request, visitor, "review/review.html", view=view)


@router.get("/{id}/pages")
async def show_pages(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The pages alone, for a second window."""
    view = await _view(request, services, visitor, require_id(id))
    return page(request, None, "review/pages.html", view=view)


@router.post("/{id}")
async def save_form(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Save what the form has, without scripts: all fields at once, and the verdict if a button for it was pressed."""
    invoice_id = require_id(id)
    form = texts_of(await request.form())
    view = await _view(request, services, visitor, invoice_id)
    account, actor = visitor.account.id, visitor.actor
    try:
        revision = _revision(form)
        if form.get("undo") or form.get("redo"):
            step = services.reviews.undo if form.get("undo") else services.reviews.redo
            await step(account, invoice_id, revision, actor)
            return redirect(view.path)
        own = own_inputs(await services.own_fields.list_all(account))
        formats = formats_of(form.get("language") or request.headers.get("accept-language", ""))
        understood = ambiguous_entries(form, view.review, formats, own)
        if understood:
            return _show_understood(request, visitor, view, form, understood)
        change = change_in(form, view.review, formats, own)
        if form.get("code") or change.status is ReviewStatus.CONFIRMED:
            postings = postings_in(form) if view.coding else None
            if postings is not None:
                coding = await services.coding.change_of(account, view.invoice, postings, actor)
                change = replace(change, coding=coding)
        await services.reviews.change(account, invoice_id, revision, change, actor)
    except (InvalidParameter, ReviewChanged) as error:
        return _show_again(request, visitor, view.with_texts(form), error.message)
    if form.get("later"):
        await services.work.snooze(account, invoice_id, visitor.person.id)
        return redirect(view.next_path or view.filters.path, "The invoice is snoozed and comes last in the queue.")
    notice = (
        await notify_sender(services, visitor, invoice_id) if change.status is _REJECTED and form.get("tell") else ""
    )
    is_done = change.status is not None and view.next_path
    return redirect(view.next_path if is_done else view.path, f"{_SAID[change.status]} {notice}".strip())


def _show_understood(
    request: Request, visitor: Visitor, view: ReviewView, form: dict[str, str], understood: Mapping[str, str]
) -> Response:
    """The form again, with numbers and dates as they are understood: nothing is saved that somebody else would read
    differently and that the person has not seen."""
    values = ", ".join(f"“{form[name]}” as {text}" for name, text in understood.items())
    words = f"Nothing is saved yet. Check these values: {values}. Then press the button again."
    return _show_again(request, visitor, view.with_texts({**form, **understood}), words)


def _show_again(request: Request, visitor: Visitor, view: ReviewView, problem: str) -> Response:
    return page(request, visitor, "review/review.html", 422, view=view, problem=problem)


@router.post("/{id}/forget")
async def forget(id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Forget what earlier invoices of the vendor teach; they stay confirmed."""
    invoice_id = require_id(id)
    count = await services.memory.forget_vendor(visitor.account.id, invoice_id, visitor.actor)
    what = "1 invoice was" if count == 1 else f"{count} invoices were"
    return redirect(f"/app/review/{invoice_id}", f"{what} removed from the memory. Their values stay.")


@router.post("/{id}/checks")
async def confirm_check(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Say that what a check found is in order, or take that back."""
    invoice_id = require_id(id)
    form = texts_of(await request.form())
    is_confirmed = "confirm" in form
    kind = one_of(CheckKind, form.get("confirm") or form.get("withdraw") or "")
    if kind is None:
        raise InvalidParameter("The form names no check. Load the page again.")
    await services.reviews.confirm_check(visitor.account.id, invoice_id, kind, visitor.actor, is_confirmed=is_confirmed)
    page = "invoices" if form.get("from") == "invoice" else "review"
    notice = "The alert was confirmed." if is_confirmed else "The confirmation was withdrawn."
    return redirect(f"/app/{page}/{invoice_id}", notice)


def _revision(form: Mapping[str, str]) -> int:
    text = form.get("revision", "")
    if not text.isdecimal():
        raise InvalidParameter("The form has no revision. Load the page again.")
    return int(text)


async def _coding(services: AnyServices, visitor: Visitor, invoice: Invoice) -> CodingView | None:
    chart = await services.charts.get(visitor.account.id)
    coding = await services.suggestions.renewed(visitor.account.id, invoice)
    return coding_view(invoice.model_copy(update={"coding": coding}), chart)


async def _view(request: Request, services: AnyServices, visitor: Visitor, invoice_id: UUID) -> ReviewView:
    invoice = await services.invoices.get(visitor.account.id, invoice_id)
    review = await services.reviews.get(visitor.account.id, invoice_id)
    formats = formats_of(request.headers.get("accept-language", ""))
    own = await services.own_fields.list_all(visitor.account.id)
    view = review_view(invoice, review, formats, str(visitor.person.id), own, is_editable=visitor.may_review)
    filters = queue_filters_of(request.query_params)
    return replace(
        view,
        filters=filters,
        next_path=await next_path(services, visitor, filters, None, invoice_id),
        progress=await progress(services, visitor, formats),
        coding=await _coding(services, visitor, invoice),
        sender=await services.rejection_mails.addressee(visitor.account.id, invoice_id) or "",
    )
