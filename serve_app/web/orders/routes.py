"""Purchase orders: what is open, imports from CSV files, tolerances."""

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.order_file import COLUMNS, OrderFile, parse_orders
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderQuery, OrderStatus
from serve_app.domain.query import InvoiceQuery
from serve_app.services.orders.service import OrderImport
from serve_app.web.api_calls import curl_of
from serve_app.web.orders.view import OrderRow
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, one_of, path_with, require_id
from serve_app.web.visitor import AnyServices, AnyVisitor, Owner, Reviewer

router = APIRouter()

LIST = "/app/orders"
PAGE = 25
MAX_BYTES = 200_000
"""Of a file that is imported here: the body of a call is limited. `invoices orders import` takes larger ones."""


@router.get("/orders")
async def list_orders(
    request: Request,
    services: AnyServices,
    visitor: AnyVisitor,
    number: Annotated[str, Query(max_length=255)] = "",
    status: str = "",
    after: str = "",
) -> HTMLResponse:
    """The account's orders, newest first, with what is open of each."""
    chosen, part = one_of(OrderStatus, status), number.strip()
    query = OrderQuery(chosen, part or None)
    found = await services.orders.page(visitor.account.id, query, PAGE, id_of(after))
    filters = {"number": part, "status": chosen or ""}
    return page(
        request,
        visitor,
        "orders/list.html",
        rows=[OrderRow(order, await services.orders.billed(order)) for order in found.items],
        filters=filters,
        is_filtered=bool(part or chosen),
        next_path=path_with(LIST, **filters, after=found.items[-1].id) if found.has_more else "",
        first_path=path_with(LIST, **filters) if after else "",
        call=curl_of(request, services.settings, "/v1/purchase-orders", limit=PAGE),
    )


@router.get("/orders/import")
async def ask_for_file(request: Request, visitor: Reviewer) -> HTMLResponse:
    """Where a CSV file is chosen."""
    return _import_page(request, visitor)


@router.post("/orders/import")
async def import_orders(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Show what a file would change; the second time, change it."""
    async with request.form(max_part_size=2 * MAX_BYTES) as form:
        data, is_confirmed = await _file_of(form), bool(form.get("confirm"))
    if not data.strip():
        return _import_page(request, visitor, problem="Choose a CSV file, or paste its lines.")
    if len(data) > MAX_BYTES:
        text = f"The file is larger than {MAX_BYTES // 1000} kB. Import it with `invoices orders import`, or split it."
        return _import_page(request, visitor, problem=text)
    file = parse_orders(data)
    if file.errors or not is_confirmed:
        plan = None if file.errors else await services.orders.preview(visitor.account.id, file)
        return _import_page(request, visitor, file=file, plan=plan, text=data.decode("utf-8-sig", "replace"))
    plan = await services.orders.carry_out(visitor.account.id, file, visitor.actor)
    done = f"{len(plan.new)} new and {len(plan.changed)} changed orders imported."
    return redirect(LIST, f"{done} Invoices are compared with them within a few minutes.")


@router.get("/orders/rules")
async def show_rules(request: Request, services: AnyServices, visitor: Owner) -> HTMLResponse:
    """The account's tolerances."""
    rules = await services.orders.rules(visitor.account.id)
    return page(request, visitor, "orders/rules.html", rules=rules, problem="")


@router.post("/orders/rules")
async def set_rules(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Replace them."""
    form = await request.form()
    try:
        rules = _rules_of(form)
    except (InvalidOperation, ValidationError):
        text = "Enter percentages from 0 to 100 and an amount from 0, with a decimal point."
        rules = await services.orders.rules(visitor.account.id)
        return page(request, visitor, "orders/rules.html", 400, rules=rules, problem=text)
    await services.orders.set_rules(visitor.account.id, rules, visitor.actor)
    return redirect(LIST, "The tolerances were saved. They apply to invoices that are compared from now on.")


@router.get("/orders/{id}")
async def show_order(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> HTMLResponse:
    """One order, its lines, and the invoices that bill it."""
    order = await services.orders.get(visitor.account.id, require_id(id))
    query = InvoiceQuery(order_id=order.id)
    invoices = await services.invoices.list(visitor.account.id, query, PAGE)
    return page(
        request,
        visitor,
        "orders/order.html",
        row=OrderRow(order, await services.orders.billed(order)),
        invoices=invoices.items,
        call=curl_of(request, services.settings, f"/v1/purchase-orders/{order.id}"),
    )


@router.post("/orders/{id}/status")
async def set_status(request: Request, services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Close the order, or open it again."""
    form, order_id = await request.form(), require_id(id)
    status = OrderStatus.OPEN if form.get("status") == OrderStatus.OPEN else OrderStatus.CLOSED
    await services.orders.amend(
        visitor.account.id, order_id, lambda draft: replace(draft, status=status), visitor.actor
    )
    return redirect(f"{LIST}/{order_id}", f"The order is {status}.")


def _import_page(
    request: Request,
    visitor: Reviewer,
    problem: str = "",
    file: OrderFile | None = None,
    plan: OrderImport | None = None,
    text: str = "",
) -> HTMLResponse:
    context = {"problem": problem, "errors": file.errors if file else (), "plan": plan, "text": text}
    status = 400 if problem or context["errors"] else 200
    return page(request, visitor, "orders/import.html", status, columns=COLUMNS, **context)


async def _file_of(form: FormData) -> bytes:
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return await file.read()
    text = form.get("text")
    return text.encode() if isinstance(text, str) else b""


def _rules_of(form: FormData) -> OrderRules:
    names = ("price_percent", "amount", "quantity_percent")
    values = {name: Decimal(str(form.get(name, "")).strip().replace(",", ".")) for name in names}
    return OrderRules(**values, skip_review=form.get("skip_review") == "on")
