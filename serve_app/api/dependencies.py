"""The endpoints' dependencies: the services and the caller.

All are coroutines, even those that await nothing, because the framework runs plain functions in threads.
"""

from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Path, Request

from serve_app.api.middleware import RATE_STATUS
from serve_app.domain import errors
from serve_app.domain.account import Caller, Scope
from serve_app.domain.ids import parse_id
from serve_app.services.bundle import Services


async def get_services(request: Request) -> Services:
    """The services of this process. Raises ServiceError 503 if they are not set yet."""
    services = getattr(request.app.state, "services", None)
    if services is None:
        raise errors.service_unavailable()
    return cast(Services, services)


AnyServices = Annotated[Services, Depends(get_services)]


async def get_caller(request: Request) -> Caller:
    """The caller, after counting its request. Raises ServiceError 401 without a valid key, 429 over the rate limit."""
    # Not a dependency: each level of dependencies costs the framework about as much as a database read.
    services = await get_services(request)
    caller = await services.authenticate(request.headers.get("authorization"))
    status = await services.rate_limit(caller.key.id)
    request.scope["state"][RATE_STATUS] = status
    if status.exceeded:
        raise errors.rate_limited(status.limit, status.retry_seconds)
    return caller


AnyCaller = Annotated[Caller, Depends(get_caller)]


async def get_writer(caller: AnyCaller) -> Caller:
    """The caller, if its key may write. Raises ServiceError 403 otherwise."""
    if caller.key.scope is not Scope.FULL:
        raise errors.insufficient_scope()
    return caller


Writer = Annotated[Caller, Depends(get_writer)]


async def get_invoice_id(id: Annotated[str, Path(json_schema_extra={"format": "uuid"})], _caller: AnyCaller) -> UUID:
    """The id in a path, checked after the API key. Raises ServiceError 404 if it is not a valid id."""
    wanted = parse_id(id)
    if wanted is None:
        raise errors.invoice_not_found()
    return wanted


InvoiceId = Annotated[UUID, Depends(get_invoice_id)]
