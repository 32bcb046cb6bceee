"""Books the bills of an export in another program, by its API."""

import json
import time
from dataclasses import replace
from uuid import UUID

from serve_app.domain.export import Export, ExportDelivery
from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.coders import NotReady, coder_of
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.ledgers import quickbooks, xero
from serve_app.services.exports.ledgers.oauth import new_tokens
from serve_app.services.exports.ledgers.odoo import Odoo
from serve_app.services.exports.ports import Call, DeliveryFailed, LedgerApi, Refused
from serve_app.services.exports.ready import bill_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.ports import Sealing
from serve_app.store.base import Invoices, LedgerConnections

MOST_AT_ONCE = 100
"""Bills that one try books."""
MOST_SECONDS = 300
"""How long a try begins with further bills. The rest follows, so that no try is longer than its lease."""


class Pusher:
    """Each invoice is booked once: what was booked is recorded with the export, and looked up there before."""

    def __init__(
        self,
        connections: LedgerConnections,
        invoices: Invoices,
        sealing: Sealing,
        call: Call,
    ) -> None:
        self._connections = connections
        self._invoices = invoices
        self._sealing = sealing
        self._call = call

    async def push(self, export: Export, delivery: ExportDelivery, ledger: Ledger) -> ExportDelivery:
        """The delivery after one more try. Raises DeliveryFailed if nothing can be booked now."""
        settings = FORMATS[export.format].settings.model_validate(export.settings)
        api = await self._open(export.account_id, ledger, settings)
        booked, refused, problem = dict(delivery.booked), dict[UUID, str](), ""
        # Those that were refused are tried once more when somebody asks for it: then nothing else is left.
        open_ones = [id for id in export.invoices if id not in booked]
        left = [id for id in open_ones if id not in delivery.refused] or open_ones
        try:
            began = time.monotonic()
            for id in left[:MOST_AT_ONCE]:
                if time.monotonic() - began > MOST_SECONDS:
                    break
                try:
                    booked[id] = await api.book(await self._bill(export, id, settings))
                except Refused as reason:
                    refused[id] = str(reason)
        except DeliveryFailed as failure:
            # What was booked until then is kept.
            problem = str(failure)
        still = {id: reason for id, reason in {**delivery.refused, **refused}.items() if id not in booked}
        return replace(delivery, booked=booked, refused=still, problem=problem)

    async def _bill(self, export: Export, invoice_id: UUID, settings: LedgerSettings) -> Bill:
        """As it is in the file of the export: its values are locked. Raises Refused."""
        invoice = await self._invoices.get(export.account_id, invoice_id)
        if invoice is None:
            raise Refused("the invoice was deleted")
        if invoice.export_id is None:
            raise Refused("the invoice was unlocked; the next export contains it")
        try:
            return bill_of(invoice, settings, coder_of(settings))
        except NotReady as reason:
            raise Refused(str(reason)) from None

    async def _open(self, account_id: UUID, ledger: Ledger, settings: LedgerSettings) -> LedgerApi:
        connection = await self._connections.get(account_id, ledger)
        if connection is None:
            raise DeliveryFailed(f"The account is not connected: invoices export connect ACCOUNT {ledger}")
        try:
            secrets = json.loads(self._sealing.open(connection.sealed))
        except ValueError:
            raise DeliveryFailed("The secret cannot be decrypted: connect the account again") from None
        if ledger is Ledger.ODOO:
            known = connection.settings
            return Odoo(self._call, known["url"], known.get("database", ""), secrets["api_key"])
        if ledger is Ledger.QUICKBOOKS:
            access = await self._access(connection, secrets, quickbooks.TOKENS)
            return quickbooks.QuickBooks(self._call, connection.settings["realm_id"], access)
        access = await self._access(connection, secrets, xero.TOKENS)
        tracking = getattr(settings, "tracking_name", "")
        return xero.Xero(self._call, connection.settings["tenant_id"], access, tracking)

    async def _access(self, connection: LedgerConnection, secrets: dict[str, str], url: str) -> str:
        """A new access token. Raises DeliveryFailed."""
        client_id, secret, token = connection.settings["client_id"], secrets["client_secret"], secrets["refresh_token"]
        access, refresh = await new_tokens(self._call, url, client_id, secret, token)
        # At once: the token that was used is worth nothing from now on.
        sealed = self._sealing.seal(json.dumps(secrets | {"refresh_token": refresh}))
        await self._connections.replace_secret(connection, sealed)
        return access
