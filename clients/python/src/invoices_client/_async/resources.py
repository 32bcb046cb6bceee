"""Calls about everything but invoices."""

from typing_extensions import Unpack

from invoices_client import calls
from invoices_client._async.pages import AsyncPages
from invoices_client._async.transport import AsyncTransport
from invoices_client.models import DeletedEvent, Event, Export, Mail, Vendor, WebhookEndpoint, WebhookEndpointWithSecret
from invoices_client.models.parameters import (
    AmendEndpointBody,
    ListEventsQuery,
    ListExportsQuery,
    ListMailsQuery,
    ListVendorsQuery,
    NewEndpointBody,
    NewExportBody,
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
