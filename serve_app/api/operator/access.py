"""Who may use the API of operators: only keys of operators, never those of accounts nor sessions of browsers."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Path, Request
from fastapi.routing import APIRoute
from starlette.routing import Match

from serve_app.api.idempotency import KeyHeader, checked_key
from serve_app.domain.account import Scope
from serve_app.domain.errors import AccountNotFound, ApiKeyNotFound, NotFound, RateLimitReached, ReadOnlyKey
from serve_app.domain.ids import parse_id
from serve_app.domain.operator_key import OperatorKey
from serve_app.http.dependencies import bearer_key, get_services
from serve_app.http.repeated import refuse_repeated
from serve_app.http.request_state import RATE_STATUS


class OperatorRoute(APIRoute):
    """A route that is not there while the API of operators is off: every method gets 404, as on an unknown path."""

    def matches(self, scope: MutableMapping[str, Any]) -> tuple[Match, MutableMapping[str, Any]]:
        services = getattr(scope["app"].state, "services", None)
        if services is not None and not services.settings.operator_api:
            return Match.NONE, {}
        return super().matches(scope)


async def get_operator(request: Request) -> OperatorKey:
    """The operator's key, after counting its request. Raises MissingApiKey, UnknownKey, RateLimitReached,
    InvalidParameter if a query parameter is given more than once."""
    services = await get_services(request)
    key = await services.operator_keys.authenticate(bearer_key(request.headers.get("authorization")))
    request.scope["state"][RATE_STATUS] = status = await services.rate_limit.count_key(key.id)
    if status.exceeded:
        raise RateLimitReached(status.limit, status.retry_seconds)
    refuse_repeated(request)
    return key


AnyOperator = Annotated[OperatorKey, Depends(get_operator)]


async def get_writing_operator(key: AnyOperator) -> OperatorKey:
    """The same, if the key may write. Raises ReadOnlyKey otherwise."""
    if key.scope is not Scope.FULL:
        raise ReadOnlyKey
    return key


WritingOperator = Annotated[OperatorKey, Depends(get_writing_operator)]


def _id_in_path(name: str, unknown: type[NotFound]) -> Callable[..., Awaitable[UUID]]:
    """Makes the dependency that reads an id in a path, checked after the key."""

    async def get_id(
        _key: AnyOperator, id: Annotated[str, Path(alias=name, json_schema_extra={"format": "uuid"})]
    ) -> UUID:
        parsed = parse_id(id)
        if parsed is None:
            raise unknown
        return parsed

    return get_id


async def _get_idempotency_key(_key: AnyOperator, idempotency_key: KeyHeader = None) -> str | None:
    return checked_key(idempotency_key)


OperatorIdempotencyKey = Annotated[str | None, Depends(_get_idempotency_key)]
AccountId = Annotated[UUID, Depends(_id_in_path("id", AccountNotFound))]
KeyId = Annotated[UUID, Depends(_id_in_path("key_id", ApiKeyNotFound))]
