"""The asynchronous client."""

import os
from collections.abc import Mapping
from typing import Any

import httpx
from typing_extensions import Unpack

from invoices_client import calls
from invoices_client._async.invoices import AsyncInvoices
from invoices_client._async.resources import (
    AsyncEvents,
    AsyncExports,
    AsyncMails,
    AsyncOwnFields,
    AsyncPurchaseOrders,
    AsyncVendors,
    AsyncWebhookEndpoints,
)
from invoices_client._async.transport import AsyncTransport
from invoices_client.models import Chart, Me, QualityAnswer
from invoices_client.models.parameters import ChartBody
from invoices_client.options import DEFAULT_URL, CallOptions, Options
from invoices_client.rate_limit import RateLimit


class AsyncClient:
    """A client of the service at `url`. Without arguments, the environment names it: INVOICES_URL, INVOICES_API_KEY.

    `timeout` is in seconds, for each attempt. A connection error, 408, 429 and 5xx are retried `max_retries` times,
    after `backoff` seconds or more, where a repeated call does no harm. Give your own `http_client` for proxies,
    certificates or connection limits; it stays open when this client is closed.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        url: str | None = None,
        timeout: float | None = 30.0,
        max_retries: int = 4,
        backoff: float = 0.5,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        key = api_key or os.environ.get("INVOICES_API_KEY")
        if not key:
            raise ValueError("pass api_key, or set INVOICES_API_KEY")
        place = (url or os.environ.get("INVOICES_URL") or DEFAULT_URL).rstrip("/")
        options = Options(place, key, timeout, max_retries, backoff)
        http = http_client or httpx.AsyncClient()
        self._owned = None if http_client else http
        self._use(AsyncTransport(http, options, RateLimit()))

    def _use(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.invoices = AsyncInvoices(transport)
        self.vendors = AsyncVendors(transport)
        self.purchase_orders = AsyncPurchaseOrders(transport)
        self.fields = AsyncOwnFields(transport)
        self.events = AsyncEvents(transport)
        self.webhook_endpoints = AsyncWebhookEndpoints(transport)
        self.mails = AsyncMails(transport)
        self.exports = AsyncExports(transport)

    def with_options(self, **changes: Unpack[CallOptions]) -> "AsyncClient":
        """The same client with another `timeout` or number of retries, for single calls."""
        other = AsyncClient.__new__(AsyncClient)
        other._owned = None
        other._use(self._transport.with_options(**changes))
        return other

    async def me(self) -> Me:
        """Whose key this is, and how much of the monthly quota is used."""
        return await self._transport.call(calls.DESCRIBE_ME)

    async def quality(self) -> QualityAnswer:
        """The accuracy of the confidence levels on the account's reviewed invoices."""
        return await self._transport.call(calls.GET_QUALITY)

    async def chart(self) -> Chart:
        """What the account's invoices are booked on, with the `revision` for `update_chart`."""
        return await self._transport.call(calls.GET_CHART)

    async def update_chart(self, **chart: Unpack[ChartBody]) -> Chart:
        """Replace the chart. `revision` is the one that was seen."""
        return await self._transport.call(calls.REPLACE_CHART, json=chart)

    async def request(
        self, method: str, path: str, *, params: Mapping[str, object] | None = None, **body: Any
    ) -> httpx.Response:
        """The response to any request under `/v1`, as it came, with key, retries and errors like other calls. `body`
        are arguments of httpx: `json`, `files`, `headers`."""
        return await self._transport.request(method, path, params=params, **body)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._owned is not None:
            await self._owned.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
