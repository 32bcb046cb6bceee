"""`/v1/vendors`."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.api.schemas import VendorList
from serve_app.domain.vendor import Vendor
from serve_app.http.answers import list_answer
from serve_app.http.dependencies import AnyCaller, AnyServices
from serve_app.http.parameters import Identifier, Limit

router = APIRouter(prefix="/v1/vendors", tags=["vendors"])


@router.get(
    "",
    response_model=VendorList,
    responses={**tagged(), **errors_with("invalid_parameter", "query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_vendors(
    services: AnyServices,
    caller: AnyCaller,
    limit: Limit = 25,
    starting_after: Annotated[
        Identifier | None, Query(description="Only vendors after this one; the response then has `has_more`.")
    ] = None,
    include: Annotated[
        Literal["totals", "identifiers"] | None,
        Query(description="Adds `totals`, the sums by currency, or `identifiers`, what invoices print."),
    ] = None,
) -> Response:
    """The account's vendors, highest spend first."""
    account_id, has_more = caller.account.id, None
    if starting_after is None:
        vendors: Sequence[Vendor] = await services.vendors.list(account_id, limit)
    else:
        page = await services.vendors.list_after(account_id, limit, starting_after)
        vendors, has_more = page.items, page.has_more
    if include is not None:
        add = services.vendors.with_totals if include == "totals" else services.vendors.with_identifiers
        vendors = await add(account_id, vendors)
    return list_answer([vendor.model_dump_json() for vendor in vendors], has_more)
