"""The blocking client."""

import os
from collections.abc import Mapping
from typing import Any

import httpx
from typing_extensions import Unpack

from invoices_client import calls
from invoices_client._sync.invoices import Invoices
from invoices_client._sync.resources import (
    Events,
    Exports,
    Mails,
    OwnFields,
    PurchaseOrders,
    Vendors,
    WebhookEndpoints,
)
from invoices_client._sync.transport import Transport
from invoices_client.models import Chart, Me, QualityAnswer
from invoices_client.models.parameters import ChartBody
from invoices_client.options import DEFAULT_URL, CallOptions, Options
from invoices_client.rate_limit import RateLimit


class Client:
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
        http_client: httpx.Client | None = None,
    ) -> None:
        key = api_key or os.environ.get("INVOICES_API_KEY")
        if not key:
            raise ValueError("pass api_key, or set INVOICES_API_KEY")
        place = (url or os.environ.get("INVOICES_URL") or DEFAULT_URL).rstrip("/")
        options = Options(place, key, timeout, max_retries, backoff)
        http = http_client or httpx.Client()
        self._owned = None if http_client else http
        self._use(Transport(http, options, RateLimit()))

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        self.invoices = Invoices(transport)
        self.vendors = Vendors(transport)
        self.purchase_orders = PurchaseOrders(transport)
        self.fields = OwnFields(transport)
        self.events = Events(transport)
        self.webhook_endpoints = WebhookEndpoints(transport)
        self.mails = Mails(transport)
        self.exports = Exports(transport)

    def with_options(self, **changes: Unpack[CallOptions]) -> "Client":
        """The same client with another `timeout` or number of retries, for single calls."""
        other = Client.__new__(Client)
        other._owned = None
        other._use(self._transport.with_options(**changes))
        return other

    def me(self) -> Me:
        """Whose key this is, and how much of the monthly quota is used."""
        return self._transport.call(calls.DESCRIBE_ME)

    def quality(self) -> QualityAnswer:
        """The accuracy of the confidence levels on the account's reviewed invoices."""
        return self._transport.call(calls.GET_QUALITY)

    def chart(self) -> Chart:
        """What the account's invoices are booked on, with the `revision` for `update_chart`."""
        return self._transport.call(calls.GET_CHART)

    def update_chart(self, **chart: Unpack[ChartBody]) -> Chart:
        """Replace the chart. `revision` is the one that was seen."""
        return self._transport.call(calls.REPLACE_CHART, json=chart)

    def request(
        self, method: str, path: str, *, params: Mapping[str, object] | None = None, **body: Any
    ) -> httpx.Response:
        """The response to any request under `/v1`, as it came, with key, retries and errors like other calls. `body`
        are arguments of httpx: `json`, `files`, `headers`."""
        return self._transport.request(method, path, params=params, **body)

    def close(self) -> None:
        """Close the connections."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
