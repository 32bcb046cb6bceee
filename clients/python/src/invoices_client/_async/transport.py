"""Calls of the service, with retries."""

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import httpx

from invoices_client._async.concurrency import sleep
from invoices_client.calls import Call, query_text
from invoices_client.errors import APIConnectionError, APIError, api_error
from invoices_client.options import Options
from invoices_client.rate_limit import RateLimit
from invoices_client.retries import Retries, connection_error, is_repeatable

T = TypeVar("T")
log = logging.getLogger("invoices_client")
# Whoever has the rest of this path needs no key.
_LINKS = "/v1/files/"


class AsyncTransport:
    """Sends requests through an HTTP client, which may be shared."""

    def __init__(self, http: httpx.AsyncClient, options: Options, rate_limit: RateLimit) -> None:
        self.http = http
        self.options = options
        self._rate_limit = rate_limit

    def with_options(self, **changes: Any) -> "AsyncTransport":
        return AsyncTransport(self.http, replace(self.options, **changes), self._rate_limit)

    async def call(
        self,
        call: Call[T],
        *ids: object,
        params: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        **body: Any,
    ) -> T:
        """The answer to an operation."""
        return call.read(await self.request(call.method, call.url(*ids), params=params, headers=headers, **body))

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        has_key: bool = True,
        **body: Any,
    ) -> httpx.Response:
        """The successful response to a request. Raises APIError or APIConnectionError, after retries where they are
        safe."""
        query = {name: query_text(value) for name, value in (params or {}).items() if value is not None}
        sent = {**({"Authorization": f"Bearer {self.options.key}"} if has_key else {}), **(headers or {})}
        retries = Retries(self.options, repeatable=is_repeatable(method, sent))
        while True:
            error: APIError | APIConnectionError
            try:
                response = await self._send(method, path, params=query, headers=sent, **body)
                if response.is_success:
                    return response
                error = api_error(response)
            except httpx.TransportError as broken:
                error = connection_error(broken)
            pause = retries.pause(error)
            if pause is None:
                raise error
            log.info("%s %s is repeated in %.1f s after %s", method, _shown(path), pause, _cause(error))
            await sleep(pause)

    async def _send(self, method: str, path: str, *, params: Mapping[str, str], **others: Any) -> httpx.Response:
        while self.options.is_paced and (wait := self._rate_limit.reserve()) > 0:
            await sleep(wait)
        began = time.perf_counter()
        timeout = self.options.timeout_of(is_held=params.get("wait") == "true")
        url = path if path.startswith("http") else self.options.url + path
        response = await self.http.request(method, url, params=params or None, timeout=timeout, **others)
        self._rate_limit.note(response.headers)
        took = time.perf_counter() - began
        request_id = response.headers.get("X-Request-Id")
        log.debug("%s %s: %s in %.2f s, request %s", method, _shown(path), response.status_code, took, request_id)
        return response


def _shown(path: str) -> str:
    """A path that may be logged."""
    start, link, _ = path.partition(_LINKS)
    return f"{start}{link}..." if link else path


def _cause(error: APIError | APIConnectionError) -> str:
    return f"{error.status} {error.code}" if isinstance(error, APIError) else type(error).__name__
