"""The list of invoices."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import parse_id
from serve_app.web.invoices.acts import AT_ONCE, Wanted, carry_out, matching
from serve_app.web.invoices.filters import LIST, Asked, asked_for, read_filters
from serve_app.web.invoices.view import COLUMNS, COUNTED, PAGE, approval_of, columns_of, list_of, tabs_of, totals_of
from serve_app.web.links import own_address
from serve_app.web.pages import fragment, page, redirect, wants_fragment
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer

router = APIRouter()


@router.get("/invoices")
async def list_invoices(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The account's invoices, filtered by the address."""
    today = datetime.now(UTC).date()
    asked = asked_for(request.query_params, today)
    found = await services.invoices.list(visitor.account.id, asked.query, PAGE, asked.after)
    is_whole = asked.after is None and not found.has_more
    # What fits on one page need not be searched for again.
    totals = (
        totals_of(found.items) if is_whole else await services.invoices.totals(visitor.account.id, asked.query, COUNTED)
    )
    context: dict[str, Any] = {
        "asked": asked,
        "list": list_of(found, totals, asked, today),
        "today": today,
        "tabs": tabs_of(asked),
        "all_columns": COLUMNS,
        "chosen": columns_of(asked),
        "approval_of": approval_of,
        "call": _call(asked, own_address(request, services.settings)),
        "at_once": AT_ONCE,
        "is_part": wants_fragment(request),
    }
    if wants_fragment(request):
        answer = fragment(request, visitor, "invoices/list.html", "results", **context)
        # Without the empty fields of the form.
        answer.headers["HX-Push-Url"] = asked.path(asked.after)
        return answer
    return page(request, visitor, "invoices/list.html", **context)


@router.post("/invoices/act")
async def act_on_invoices(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Do something to the selected invoices, or to all that match. Deleting asks first."""
    form = await request.form()
    state = _text(form, "state")
    asked = read_filters(parse_qsl(state))
    name = _chosen(form)
    value = _text(form, name)
    if name == "delete" and not form.get("sure"):
        return await _ask_to_delete(request, services, visitor, form, asked)
    ids = await _selected(services, visitor, form, asked)
    links = own_address(request, services.settings)
    back = _back(form, asked) if name != "delete" else asked.path()
    try:
        notice = await carry_out(Wanted(services, visitor, name, value, links), ids)
    except InvalidParameter as error:
        notice = error.message
    return redirect(back, notice)


async def _ask_to_delete(
    request: Request, services: AnyServices, visitor: Reviewer, form: FormData, asked: Asked
) -> Response:
    ids = await _selected(services, visitor, form, asked)
    if not ids:
        return redirect(asked.path(), "Nothing was selected.")
    return page(
        request,
        visitor,
        "invoices/delete.html",
        ids=ids,
        state=asked.state(),
        back=_back(form, asked),
    )


async def _selected(services: AnyServices, visitor: Reviewer, form: FormData, asked: Asked) -> list[UUID]:
    if form.get("sure"):
        # What the question was about, and nothing that has come since.
        ids = [parse_id(text) for text in _text(form, "ids").split(",")]
        return [id for id in ids if id is not None]
    if form.get("all") and not asked.problems:
        return await matching(services, visitor.account.id, asked.query)
    chosen = (parse_id(str(text)) for text in form.getlist("id"))
    return [id for id in dict.fromkeys(chosen) if id is not None]


def _back(form: FormData, asked: Asked) -> str:
    """Where the act was asked for: at one invoice, or in the list."""
    invoice_id = parse_id(_text(form, "from"))
    state = asked.state()
    return asked.path() if invoice_id is None else f"{LIST}/{invoice_id}" + (f"?{state}" if state else "")


def _chosen(form: FormData) -> str:
    """The act whose button was pressed. Enter in one of the fields presses none of them."""
    name = _text(form, "act")
    return name or next((field for field in ("tag", "approval") if _text(form, field)), "")


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


def _call(asked: Asked, address: str) -> str:
    return f"curl '{address}/v1/invoices{asked.api_query()}' \\\n  -H \"Authorization: Bearer $INVOICES_KEY\""
