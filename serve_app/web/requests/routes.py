"""The log of calls to the API."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.domain.api_call import RING, ApiCallQuery
from serve_app.domain.errors import InvalidParameter
from serve_app.web.pages import page
from serve_app.web.query_parameters import id_of, path_with
from serve_app.web.visitor import AnyServices, Owner

router = APIRouter()

LIST = "/app/requests"
PAGE = 100
CLASSES = {"2": "Done (2xx)", "3": "Unchanged (3xx)", "4": "Refused (4xx)", "5": "Failed (5xx)"}


@router.get("/requests")
async def list_requests(
    request: Request,
    services: AnyServices,
    visitor: Owner,
    id: str = "",
    status: str = "",
    key: str = "",
    after: str = "",
) -> HTMLResponse:
    """The account's calls of the last days, filtered by the address."""
    if status and status not in CLASSES:
        raise InvalidParameter(f"“{status}” is not a status class. Choose one from the list.")
    query = ApiCallQuery(id.strip() or None, int(status) if status else None, id_of(key))
    # So that what the visitor has just called from this page's examples is there.
    await services.calls.flush()
    found = await services.calls.page(visitor.account.id, query, PAGE, id_of(after))
    keys = await services.accounts.list_keys(visitor.account.id)
    filters = {"id": id, "status": status, "key": key}
    return page(
        request,
        visitor,
        "requests/list.html",
        filters=filters,
        calls=found.items,
        keys=keys,
        names={each.id: each.name for each in keys},
        classes=CLASSES,
        ring=RING,
        next_path=path_with(LIST, **filters, after=found.items[-1].id) if found.has_more else "",
        first_path=path_with(LIST, **filters) if after else "",
    )
