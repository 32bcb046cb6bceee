"""Vendors: whom the account pays, and how much."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.domain.query import InvoiceQuery
from serve_app.web.api_calls import curl_of
from serve_app.web.asking import id_of, path_with, wanted_id
from serve_app.web.formats import formats_of
from serve_app.web.pages import page
from serve_app.web.vendors.view import MONTHS, VendorRow, charts_of, details_in, sums_of
from serve_app.web.visitor import AnyServices, AnyVisitor

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


@router.get("/vendors/{id}")
async def show_vendor(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> HTMLResponse:
    """A vendor: spend by month, details found, newest invoices."""
    vendor = await services.vendors.get(visitor.account.id, wanted_id(id))
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
        details=details_in(vendor, found.items),
        looked_at=len(found.items),
        newest=found.items[:10],
        call=curl_of(request, services.settings, "/v1/invoices", vendor_id=vendor.id),
    )
