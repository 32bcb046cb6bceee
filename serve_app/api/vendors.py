"""`/v1/vendors`."""

from fastapi import APIRouter
from starlette.responses import Response

from serve_app.api.answers import list_answer
from serve_app.api.dependencies import AnyCaller, AnyServices
from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.api.parameters import Limit
from serve_app.api.schemas import VendorList

router = APIRouter(prefix="/v1/vendors", tags=["vendors"])


@router.get(
    "",
    response_model=VendorList,
    responses={**tagged(), **errors_with("invalid_parameter")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_vendors(services: AnyServices, caller: AnyCaller, limit: Limit = 25) -> Response:
    """The account's vendors, highest spend first."""
    vendors = await services.vendors.list(caller.account.id, limit)
    return list_answer([vendor.model_dump_json() for vendor in vendors])
