"""The list of invoices."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage
from serve_app.web.formats import formats_of
from serve_app.web.invoices.bulk_actions import AT_ONCE, BulkRequest, matching, run_bulk_action
from serve_app.web.invoices.filters import LIST, InvoiceFilters, filters_of, read_filters
from serve_app.web.invoices.outcome import Outcome, name_refusals, read_changes
from serve_app.web.invoices.view import (
    COLUMNS,
    COUNTED,
    ORDERS,
    PAGE,
    SORTED,
    approval_of,
    columns_of,
    list_of,
    tabs_of,
    totals_of,
)
from serve_app.web.links import own_address
from serve_app.web.pages import fragment, page, redirect, wants_fragment
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer

router = APIRouter()


@router.get("/invoices")
async def list_invoices(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The account's invoices, filtered by the address."""
    today = datetime.now(UTC).date()
    filters = filters_of(request.query_params, formats_of(request.headers.get("accept-language", "")), today)
    filters = replace(filters, query=await services.vendors.with_kept(visitor.account.id, filters.query))
    found = await _page(services, visitor.account.id, filters)
    is_whole = filters.after is None and not found.has_more
    # What fits on one page need not be searched for again.
    totals = (
        totals_of(found.items)
        if is_whole
        else await services.invoices.totals(visitor.account.id, filters.query, COUNTED)
    )
    context: dict[str, Any] = {
        "filters": filters,
        "list": list_of(found, totals, filters, today),
        "today": today,
        "zero": Decimal("0.00"),
        "tabs": tabs_of(filters),
        "all_columns": COLUMNS,
        "chosen": columns_of(filters),
        "approval_of": approval_of,
        "call": _call(filters, own_address(request, services.settings)),
        "at_once": AT_ONCE,
        "sorted_by": SORTED,
        "orders": ORDERS,
        "saved_views": await services.saved_views.list(visitor.account.id, visitor.person.id),
        "people": await _reviewers(services, visitor),
        "models_choice": _models_choice(await services.invoices.models(visitor.account.id), filters),
        **await _deletions(services, visitor.account.id),
        "is_part": wants_fragment(request),
    }
    if wants_fragment(request):
        answer = fragment(request, visitor, "invoices/list.html", "results", **context)
        # Without the empty fields of the form; a list that only refreshes is no new step in the history.
        if not request.headers.get("HX-Current-URL", "").endswith(filters.path_here()):
            answer.headers["HX-Push-Url"] = filters.path_here()
        return answer
    return page(request, visitor, "invoices/list.html", **context)


@router.post("/invoices/act")
async def act_on_invoices(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Do something to the selected invoices, or to all that match."""
    form = await request.form()
    state = _text(form, "state")
    filters = read_filters(parse_qsl(state))
    name = _chosen(form)
    if name == "export":
        return redirect(filters.export_path([] if form.get("all") else form.getlist("id")))
    value = _text(form, name)
    if name in ("take_back", "assign_back"):
        ids = [change.invoice_id for change in read_changes(value)]
    else:
        ids = await _selected(services, visitor, form, filters)
    if not ids:
        return redirect(_back(form, filters), "Nothing was selected.")
    if name == "delete":
        await services.deletions.plan(visitor.account.id, ids, visitor.actor)
        return redirect(filters.path())
    try:
        bulk = BulkRequest(services, visitor, name, value, own_address(request, services.settings))
        outcome = await run_bulk_action(bulk, ids)
    except InvalidParameter as error:
        return redirect(_back(form, filters), error.message)
    return await _outcome_page(request, services, visitor, outcome, _back(form, filters), filters.state())


async def _outcome_page(
    request: Request, services: AnyServices, visitor: Reviewer, outcome: Outcome, back: str, state: str
) -> Response:
    """The list again with a sentence, or a page if there is more to say."""
    if not outcome.has_more_to_show:
        return redirect(back, outcome.summary)
    refusals = await name_refusals(services, visitor.account.id, outcome)
    return page(request, visitor, "invoices/outcome.html", outcome=outcome, refusals=refusals, back=back, state=state)


@router.post("/invoices/undo")
async def undo_deletion(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Keep the invoices of a deletion that is not carried out yet."""
    form = await request.form()
    plan_id = parse_id(_text(form, "plan"))
    kept = plan_id is not None and await services.deletions.undo(visitor.account.id, plan_id)
    filters = read_filters(parse_qsl(_text(form, "state")))
    return redirect(_back(form, filters), "Nothing was deleted." if kept else "The invoices are already deleted.")


@router.get("/invoices/deletions")
async def show_deletions(
    request: Request, services: AnyServices, visitor: AnyVisitor, state: str = "", invoice: str = ""
) -> Response:
    """What can be undone, asked for every two seconds while there is anything. Then the list is another one, and is
    loaded again; from the page of an invoice that is gone, the list is shown."""
    open_plans = await services.deletions.open(visitor.account.id)
    answer = fragment(
        request,
        visitor,
        "invoices/deletions.html",
        "deletions",
        deletions=open_plans,
        state=state,
        invoice=invoice,
    )
    if not open_plans:
        id = parse_id(invoice)
        is_gone = id is not None and not await _exists(services, visitor.account.id, id)
        answer.headers["HX-Redirect" if is_gone else "HX-Refresh"] = LIST if is_gone else "true"
    return answer


def _models_choice(known: Sequence[str], filters: InvoiceFilters) -> list[tuple[str, str]]:
    """Pairs of models to choose from, with the one that is asked for."""
    pairs = dict.fromkeys([*known, *([filters.value("models")] if filters.value("models") else [])])
    return [(pair, pair.replace(" ", " and ", 1)) for pair in pairs]


async def _reviewers(services: AnyServices, visitor: AnyVisitor) -> dict[UUID, str]:
    """Whose work an invoice can be, for those who may assign it."""
    if not visitor.may_review:
        return {}
    members = await services.people.members.of_account(visitor.account.id)
    return {member.person.id: member.person.called for member in members if member.role.may_review}


async def _deletions(services: AnyServices, account_id: UUID) -> dict[str, object]:
    plans = await services.deletions.open(account_id)
    return {"deletions": plans, "going": {id for plan in plans for id in plan.invoice_ids}}


async def _exists(services: AnyServices, account_id: UUID, invoice_id: UUID) -> bool:
    try:
        await services.invoices.get(account_id, invoice_id)
    except InvoiceNotFound:
        return False
    return True


async def _page(services: AnyServices, account_id: UUID, filters: InvoiceFilters) -> ListPage[Invoice]:
    if filters.order is None:
        return await services.invoices.list(account_id, filters.query, PAGE, filters.after)
    return await services.invoices.sorted_list(account_id, filters.query, filters.order, PAGE, filters.position)


async def _selected(services: AnyServices, visitor: Reviewer, form: FormData, filters: InvoiceFilters) -> list[UUID]:
    if form.get("all") and not filters.problems:
        return await matching(services, visitor.account.id, filters.query)
    chosen = (parse_id(str(text)) for text in form.getlist("id"))
    return [id for id in dict.fromkeys(chosen) if id is not None]


def _back(form: FormData, filters: InvoiceFilters) -> str:
    """Where the act was asked for: at one invoice, or in the list."""
    invoice_id = parse_id(_text(form, "from"))
    state = filters.state()
    return filters.path() if invoice_id is None else f"{LIST}/{invoice_id}" + (f"?{state}" if state else "")


def _chosen(form: FormData) -> str:
    """The act whose button was pressed. Enter in one of the fields presses none of them."""
    name = _text(form, "act")
    return name or next((field for field in ("tag", "approval", "reject") if _text(form, field)), "")


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


def _call(filters: InvoiceFilters, address: str) -> str:
    return f"curl '{address}/v1/invoices{filters.api_query()}' \\\n  -H \"Authorization: Bearer $INVOICES_KEY\""
