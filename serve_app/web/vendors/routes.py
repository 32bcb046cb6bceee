"""Vendors: whom the account pays, and how much."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import parse_id
from serve_app.domain.query import InvoiceQuery
from serve_app.services.invoices.vendors import MAX_NAME
from serve_app.web.api_calls import curl_of
from serve_app.web.formats import formats_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, path_with, require_id
from serve_app.web.vendors.view import MONTHS, VendorRow, charts_of, known_of, payment_terms_in, printed_names, sums_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer

router = APIRouter()

LIST = "/app/vendors"
PAGE = 25
LOOKED_AT = 50
"""How many of a vendor's newest invoices are searched for details."""


@router.get("/vendors")
async def list_vendors(
    request: Request,
    services: AnyServices,
    visitor: AnyVisitor,
    name: Annotated[str, Query(max_length=255)] = "",
    after: str = "",
) -> HTMLResponse:
    """The account's vendors, or those whose name has a part, highest spend first."""
    part = name.strip()
    found = await services.vendors.page(visitor.account.id, PAGE, id_of(after), part)
    spend = await services.vendors.spend(visitor.account.id, [vendor.id for vendor in found.items])
    return page(
        request,
        visitor,
        "vendors/list.html",
        rows=[VendorRow(vendor, sums_of(spend.get(vendor.id, ()))) for vendor in found.items],
        part=part,
        next_path=path_with(LIST, name=part, after=found.items[-1].id) if found.has_more else "",
        first_path=path_with(LIST, name=part) if after else "",
        call=curl_of(request, services.settings, "/v1/vendors", limit=PAGE),
    )


@router.get("/vendors/merge")
async def choose_kept(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Which of the selected vendors the others are merged into."""
    ids = _ids(request.query_params.getlist("id"))
    if len(ids) < 2:
        return redirect(LIST, "Select two vendors or more to merge.")
    vendors = [await services.vendors.get(visitor.account.id, id) for id in ids[:PAGE]]
    spend = await services.vendors.spend(visitor.account.id, ids)
    rows = [VendorRow(vendor, sums_of(spend.get(vendor.id, ()))) for vendor in vendors]
    rows.sort(key=lambda row: -row.vendor.invoice_count)
    return page(request, visitor, "vendors/merge.html", rows=rows)


@router.post("/vendors/merge")
async def merge_vendors(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Merge the selected vendors into the kept one."""
    form = await request.form()
    kept = require_id(str(form.get("kept", "")))
    others = [id for id in _ids(form.getlist("id"))[:PAGE] if id != kept]
    try:
        for id in others:
            await services.vendors.merge(visitor.account.id, kept, id, visitor.actor)
    except InvalidParameter as error:
        return redirect(LIST, error.message)
    done = f"{len(others)} {'vendor' if len(others) == 1 else 'vendors'} merged into this one."
    return redirect(f"{LIST}/{kept}", f"{done} You can split off each of them below.")


@router.post("/vendors/{id}/rename")
async def rename_vendor(request: Request, services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Call the vendor by another name."""
    name = str((await request.form()).get("name", ""))
    try:
        await services.vendors.rename(visitor.account.id, require_id(id), name, visitor.actor)
    except InvalidParameter as error:
        return redirect(f"{LIST}/{id}", error.message)
    notice = "The name was changed." if name.strip() else "The vendor has its printed name again."
    return redirect(f"{LIST}/{id}", notice)


@router.post("/vendors/{id}/split")
async def split_vendor(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Make a merged vendor one of its own again."""
    await services.vendors.split(visitor.account.id, require_id(id), visitor.actor)
    return redirect(f"{LIST}/{id}", "This vendor is separate again, with the invoices that have its name.")


@router.get("/vendors/{id}")
async def show_vendor(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> Response:
    """A vendor: spend by month, details found, newest invoices. The address of a merged one leads to the kept one."""
    vendor_id = require_id(id)
    kept_id = await services.vendors.kept_id(visitor.account.id, vendor_id)
    if kept_id != vendor_id:
        return redirect(f"{LIST}/{kept_id}")
    account_id = visitor.account.id
    (vendor,) = await services.vendors.with_identifiers(account_id, [await services.vendors.get(account_id, vendor_id)])
    months = (await services.vendors.spend(visitor.account.id, [vendor.id])).get(vendor.id, [])
    found = await services.invoices.list(visitor.account.id, InvoiceQuery(vendor_id=vendor.id), LOOKED_AT)
    formats = formats_of(request.headers.get("accept-language", ""))
    return page(
        request,
        visitor,
        "vendors/vendor.html",
        vendor=vendor,
        sums=sums_of(months),
        charts=charts_of(months, formats),
        months=MONTHS,
        known=known_of(vendor.identifiers or (), found.items),
        terms=payment_terms_in(found.items),
        newest=found.items[:10],
        merged=await services.vendors.merged(visitor.account.id, vendor.id),
        printed=printed_names(found.items),
        max_name=MAX_NAME,
        call=curl_of(request, services.settings, "/v1/invoices", vendor_id=vendor.id),
    )


def _ids(texts: Sequence[object]) -> list[UUID]:
    found = (parse_id(str(text)) for text in texts)
    return list(dict.fromkeys(id for id in found if id is not None))
