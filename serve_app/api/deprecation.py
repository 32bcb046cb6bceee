"""What clients should no longer use, and until when it works, in headers and in the OpenAPI document."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import Any

from starlette.datastructures import MutableHeaders, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOTICE = timedelta(days=365)
"""How long something still works after it was deprecated, at least."""
PAGE = "/docs"
"""Where clients read what to use instead."""


@dataclass(frozen=True, slots=True)
class Deprecation:
    """An operation, such as `GET /v1/invoices`, or one query parameter of it. The moments are in UTC."""

    operation: str
    since: datetime
    sunset: datetime
    parameter: str | None = None

    def __post_init__(self) -> None:
        if self.sunset < self.since + NOTICE:
            raise ValueError(f"{self.operation}: it must work for {NOTICE.days} days after it was deprecated")

    @property
    def headers(self) -> dict[str, str]:
        """`Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the documentation."""
        return {
            "Deprecation": f"@{int(self.since.timestamp())}",
            "Sunset": format_datetime(self.sunset, usegmt=True),
            "Link": f'<{PAGE}>; rel="deprecation"; type="text/html"',
        }


DEPRECATIONS: tuple[Deprecation, ...] = ()
"""Everything that is deprecated."""


class DeprecationHeaders:
    """Adds the headers to every response of a deprecated operation, and to requests with a deprecated parameter."""

    def __init__(self, app: ASGIApp, deprecations: Sequence[Deprecation] | None = None) -> None:
        self._app = app
        self._deprecations = DEPRECATIONS if deprecations is None else deprecations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._deprecations:
            await self._app(scope, receive, send)
            return

        async def send_with_notice(message: Message) -> None:
            if message["type"] == "http.response.start" and (found := self._used_in(scope)) is not None:
                MutableHeaders(scope=message).update(found.headers)
            await send(message)

        await self._app(scope, receive, send_with_notice)

    def _used_in(self, scope: Scope) -> Deprecation | None:
        """Of several, the one that ends first. The router has noted the route once the response starts."""
        operation = f"{scope['method']} {getattr(scope.get('route'), 'path', None)}"
        given = QueryParams(scope["query_string"])
        used = (
            each
            for each in self._deprecations
            if each.operation == operation and (each.parameter is None or each.parameter in given)
        )
        return min(used, key=lambda each: each.sunset, default=None)


def mark_deprecated(document: dict[str, Any], deprecations: Sequence[Deprecation] | None = None) -> None:
    """Mark what is deprecated in the OpenAPI document, in place. Raises KeyError for an operation or a parameter that
    does not exist."""
    for each in DEPRECATIONS if deprecations is None else deprecations:
        method, path = each.operation.split()
        operation = document["paths"][path][method.lower()]
        parameters = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
        marked = operation if each.parameter is None else parameters[each.parameter]
        marked["deprecated"] = True
