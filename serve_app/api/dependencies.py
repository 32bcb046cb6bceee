"""What endpoints ask for: the services and the caller.

All of them are coroutines, also those that wait for nothing: the framework runs plain functions in threads.
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
    """The services of this process; ServiceError 503 before they are set."""
    services = getattr(request.app.state, "services", None)
    if services is None:
        raise errors.service_unavailable()
    return cast(Services, services)


AnyServices = Annotated[Services, Depends(get_services)]


async def get_caller(request: Request) -> Caller:
    """The caller, its request counted. ServiceError 401 without a valid key, 429 over the rate limit."""
    # Not by a dependency of its own: each level costs the framework about as much as a look into the database.
    services = await get_services(request)
    caller = await services.authenticate(request.headers.get("authorization"))
    status = await services.rate_limit(caller.key.id)
    request.scope["state"][RATE_STATUS] = status
    if status.exceeded:
        raise errors.rate_limited(status.limit, status.retry_seconds)
    return caller


AnyCaller = Annotated[Caller, Depends(get_caller)]


async def get_writer(caller: AnyCaller) -> Caller:
    """The caller where its key may write. ServiceError 403 else."""
    if caller.key.scope is not Scope.FULL:
        raise errors.insufficient_scope()
    return caller


Writer = Annotated[Caller, Depends(get_writer)]


async def get_invoice_id(id: Annotated[str, Path(json_schema_extra={"format": "uuid"})], _caller: AnyCaller) -> UUID:
    """The id in a path, looked at after the key. ServiceError 404 where it is none."""
    wanted = parse_id(id)
    if wanted is None:
        raise errors.invoice_not_found()
    return wanted


InvoiceId = Annotated[UUID, Depends(get_invoice_id)]
