"""Calls about everything but invoices."""

from uuid import uuid4

from typing_extensions import Unpack

from invoices_client import calls
from invoices_client._async.pages import AsyncPages
from invoices_client._async.transport import AsyncTransport
from invoices_client.models import (
    DeletedEvent,
    Event,
    Export,
    Invoice,
    Mail,
    OwnField,
    OwnFieldList,
    PurchaseOrder,
    PurchaseOrderRules,
    Vendor,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
)
from invoices_client.models.parameters import (
    AmendEndpointBody,
    AmendOrderBody,
    CustomValueBody,
    ListEventsQuery,
    ListExportsQuery,
    ListMailsQuery,
    ListPurchaseOrdersQuery,
    ListVendorsQuery,
    NewEndpointBody,
    NewExportBody,
    NewOrderBody,
    OrderRulesBody,
    OwnFieldBody,
    ReceiveBody,
)


class AsyncVendors:
    """`client.vendors`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[ListVendorsQuery]) -> AsyncPages[Vendor]:
        """Vendors, highest spend first."""
        return AsyncPages(self._transport, calls.LIST_VENDORS, filters)


class AsyncEvents:
    """`client.events`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[ListEventsQuery]) -> AsyncPages[Event | DeletedEvent]:
        """Events, newest first."""
        return AsyncPages(self._transport, calls.LIST_EVENTS, filters)

    async def retrieve(self, id: str) -> Event | DeletedEvent:
        """One event."""
        return await self._transport.call(calls.GET_EVENT, id)


class AsyncWebhookEndpoints:
    """`client.webhook_endpoints`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, **properties: Unpack[NewEndpointBody]) -> WebhookEndpointWithSecret:
        """Register a URL for events. No later answer contains the secret."""
        return await self._transport.call(calls.CREATE_WEBHOOK_ENDPOINT, json=properties)

    async def retrieve(self, id: str) -> WebhookEndpoint:
        """One endpoint."""
        return await self._transport.call(calls.GET_WEBHOOK_ENDPOINT, id)

    def list(self) -> AsyncPages[WebhookEndpoint]:
        """All endpoints, oldest first."""
        return AsyncPages(self._transport, calls.LIST_WEBHOOK_ENDPOINTS, {})

    async def update(self, id: str, **changes: Unpack[AmendEndpointBody]) -> WebhookEndpoint:
        """Change an endpoint, or pause and resume it with `active`."""
        return await self._transport.call(calls.AMEND_WEBHOOK_ENDPOINT, id, json=changes)

    async def delete(self, id: str) -> None:
        """Delete an endpoint with its deliveries."""
        await self._transport.call(calls.DELETE_WEBHOOK_ENDPOINT, id)

    async def rotate_secret(self, id: str) -> WebhookEndpointWithSecret:
        """A new secret; the one before signs as well for 24 hours."""
        return await self._transport.call(calls.ROTATE_WEBHOOK_SECRET, id)


class AsyncExports:
    """`client.exports`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, **properties: Unpack[NewExportBody]) -> Export:
        """Write the invoices that are ready and in no export yet into a file for another program."""
        return await self._transport.call(calls.CREATE_EXPORT, json=properties)

    def list(self, **filters: Unpack[ListExportsQuery]) -> AsyncPages[Export]:
        """Exports, newest first."""
        return AsyncPages(self._transport, calls.LIST_EXPORTS, filters)

    async def retrieve(self, id: str) -> Export:
        """One export with its receipt."""
        return await self._transport.call(calls.GET_EXPORT, id)

    async def file(self, id: str) -> bytes:
        """The file of an export."""
        return await self._transport.call(calls.GET_EXPORT_FILE, id)


class AsyncMails:
    """`client.mails`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[ListMailsQuery]) -> AsyncPages[Mail]:
        """Mails to the account's addresses, newest first."""
        return AsyncPages(self._transport, calls.LIST_MAILS, filters)

    async def retrieve(self, id: str) -> Mail:
        """One mail with the outcome of each part."""
        return await self._transport.call(calls.GET_MAIL, id)


class AsyncOwnFields:
    """`client.fields`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> OwnFieldList:
        """The account's own fields, by name: all of them."""
        return await self._transport.call(calls.LIST_FIELDS)

    async def put(self, name: str, **properties: Unpack[OwnFieldBody]) -> OwnField:
        """Add an own field, or replace the one of this name."""
        return await self._transport.call(calls.PUT_FIELD, name, json=properties)

    async def point(self, invoice: str, name: str, **value: Unpack[CustomValueBody]) -> Invoice:
        """Enter or point at a value of an own field of an invoice."""
        return await self._transport.call(calls.POINT_AT_VALUE, invoice, name, json=value)

    async def delete(self, name: str) -> None:
        """Delete an own field. Invoices keep its values."""
        await self._transport.call(calls.DELETE_FIELD, name)


class AsyncPurchaseOrders:
    """`client.purchase_orders`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, *, idempotency_key: str | None = None, **properties: Unpack[NewOrderBody]) -> PurchaseOrder:
        """Keep an order. All retries have one idempotency key, so that they keep one."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid4())}
        return await self._transport.call(calls.CREATE_PURCHASE_ORDER, headers=headers, json=properties)

    def list(self, **filters: Unpack[ListPurchaseOrdersQuery]) -> AsyncPages[PurchaseOrder]:
        """Orders, newest first."""
        return AsyncPages(self._transport, calls.LIST_PURCHASE_ORDERS, filters)

    async def retrieve(self, id: str) -> PurchaseOrder:
        """One order with what is open of it."""
        return await self._transport.call(calls.GET_PURCHASE_ORDER, id)

    async def update(self, id: str, **changes: Unpack[AmendOrderBody]) -> PurchaseOrder:
        """Change an order; `lines` replaces all of them."""
        return await self._transport.call(calls.AMEND_PURCHASE_ORDER, id, json=changes)

    async def receive(
        self, id: str, *, idempotency_key: str | None = None, **arrived: Unpack[ReceiveBody]
    ) -> PurchaseOrder:
        """Add what has arrived. All retries have one idempotency key, so that it is added once."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid4())}
        return await self._transport.call(calls.RECEIVE_PURCHASE_ORDER, id, headers=headers, json=arrived)

    async def delete(self, id: str) -> None:
        """Delete an order. Invoices keep what was found when they were compared with it."""
        await self._transport.call(calls.DELETE_PURCHASE_ORDER, id)

    async def rules(self) -> PurchaseOrderRules:
        """How far invoices may differ from their orders."""
        return await self._transport.call(calls.GET_ORDER_RULES)

    async def set_rules(self, **rules: Unpack[OrderRulesBody]) -> PurchaseOrderRules:
        """Replace the tolerances. What is omitted has its default."""
        return await self._transport.call(calls.SET_ORDER_RULES, json=rules)
