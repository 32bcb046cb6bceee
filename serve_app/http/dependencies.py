"""The endpoints' dependencies: the services and the caller.

All are coroutines, even those that await nothing, because the framework runs plain functions in threads.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Path, Request

from serve_app.domain.account import Caller, Scope
from serve_app.domain.errors import InvoiceNotFound, NotFound, RateLimitReached, ReadOnlyKey, Unavailable
from serve_app.domain.ids import parse_id
from serve_app.http.errors import MissingApiKey
from serve_app.http.repeated import refuse_repeated
from serve_app.http.request_state import CALLER, KNOWN_CALLER, RATE_STATUS
from serve_app.services.bundle import Services


async def get_services(request: Request) -> Services:
    """The services of this process. Raises Unavailable if they are not set yet."""
    services = getattr(request.app.state, "services", None)
    if services is None:
        raise Unavailable
    return cast(Services, services)


AnyServices = Annotated[Services, Depends(get_services)]


async def get_caller(request: Request) -> Caller:
    """The caller, after counting its request. Raises AccessDenied without a valid key, RateLimitReached,
    InvalidParameter if a query parameter is given more than once."""
    caller = await reading_caller(request, _bearer)
    refuse_repeated(request)
    return caller


AnyCaller = Annotated[Caller, Depends(get_caller)]


async def get_writer(request: Request) -> Caller:
    """The caller, if its key may write. Raises ReadOnlyKey otherwise, and what `get_caller` raises."""
    caller = await writing_caller(request, _bearer)
    refuse_repeated(request)
    return caller


def bearer_key(authorization: str | None) -> str:
    """The key in an `Authorization` header. Raises MissingApiKey if it has none."""
    scheme, _, key = (authorization or "").strip().partition(" ")
    key = key.strip()
    if scheme.lower() != "bearer" or not key or " " in key:
        raise MissingApiKey
    return key


def _bearer(request: Request) -> str:
    return bearer_key(request.headers.get("authorization"))


async def reading_caller(request: Request, key_of: Callable[[Request], str]) -> Caller:
    """The caller whose key `key_of` finds, counted once for each request, whichever dependency is first. Raises
    AccessDenied without a valid key, RateLimitReached."""
    # Not a dependency: each level of dependencies costs the framework about as much as a database read.
    state = request.scope["state"]
    if CALLER not in state:
        services = await get_services(request)
        caller = await services.callers.authenticate(key_of(request))
        state[KNOWN_CALLER] = caller
        state[RATE_STATUS] = status = await services.rate_limit.count(caller)
        if status.exceeded:
            raise RateLimitReached(status.limit, status.retry_seconds)
        state[CALLER] = caller
    return cast(Caller, state[CALLER])


async def writing_caller(request: Request, key_of: Callable[[Request], str]) -> Caller:
    """The same, if its key may write. Raises ReadOnlyKey otherwise."""
    caller = await reading_caller(request, key_of)
    if caller.key.scope is not Scope.FULL:
        raise ReadOnlyKey
    return caller


Writer = Annotated[Caller, Depends(get_writer)]


def id_in_path(unknown: type[NotFound]) -> Callable[..., Awaitable[UUID]]:
    """Makes the dependency that reads the id in a path, checked after the API key. It raises `unknown` if it is not a
    valid id."""

    async def get_id(id: Annotated[str, Path(json_schema_extra={"format": "uuid"})], _caller: AnyCaller) -> UUID:
        parsed = parse_id(id)
        if parsed is None:
            raise unknown
        return parsed

    return get_id


InvoiceId = Annotated[UUID, Depends(id_in_path(InvoiceNotFound))]
