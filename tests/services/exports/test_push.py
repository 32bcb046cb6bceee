"""Bills are booked once by the API of another program; what it refuses is shown by invoice."""

import json
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.export import Export, ExportDelivery, ExportFormat
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import DocumentType
from serve_app.domain.ledger_connection import Ledger
from serve_app.keys.sealing import Sealer, new_key
from serve_app.net.guard import Guard
from serve_app.services.exports.connections import LedgerConnectionService, reseal_connections
from serve_app.services.exports.ports import Call
from serve_app.services.exports.push import Pusher
from serve_app.services.exports.schedules import ExportRounds
from serve_app.services.exports.service import ExportRequest, ExportService
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.services.exports.bills import HOSTILE
from tests.services.exports.ledgers import OdooServer, QuickBooksServer, XeroServer
from tests.services.exports.test_schedules import Places
from tests.services.exports.test_service import add
from tests.support import Clock

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
ODOO = {"url": "https://odoo.example.com", "database": "company", "api_key": "key"}
XERO = {"tenant_id": "tenant", "client_id": "client", "client_secret": "secret", "refresh_token": "refresh 1"}
QUICKBOOKS = {name: value for name, value in XERO.items() if name != "tenant_id"} | {"realm_id": "4711"}
BOOKING_RATES = {"19 % purchase": 19, "7 % purchase": 7}
BOOKING = {"expense_account": "4980", "tax_codes": {"19": "19 % purchase", "7": "7 % purchase"}}


@pytest.fixture
def store_kind() -> str:
    return "sqlite"


@pytest.fixture
def sealer() -> Sealer:
    return Sealer([new_key()])


@pytest.fixture
def exports(store: Store, clock: Clock) -> ExportService:
    return ExportService(store.exports, store.invoices, store.own_fields, AuditTrail(store.audit, clock), clock)


def found(_: str) -> list[str]:
    """The address of any host."""
    return ["93.184.216.34"]


@pytest.fixture
def connections(store: Store, sealer: Sealer, clock: Clock) -> LedgerConnectionService:
    audit = AuditTrail(store.audit, clock)
    return LedgerConnectionService(store.ledger_connections, sealer, Guard(lookup=found), audit, clock)


def odoo_server() -> OdooServer:
    return OdooServer(["Acme GmbH"], ["4980"], BOOKING_RATES)


def xero_server() -> XeroServer:
    return XeroServer({"19 % purchase": "INPUT19", "7 % purchase": "INPUT7"}, ["4980"])


class Booking:
    """Makes exports that are booked by an API, and runs the rounds."""

    def __init__(self, store: Store, exports: ExportService, sealer: Sealer, clock: Clock, call: Call) -> None:
        pusher = Pusher(store.ledger_connections, store.invoices, sealer, call)
        audit = AuditTrail(store.audit, clock)
        self.rounds = ExportRounds(store.export_schedules, store.exports, exports, Places(), pusher, audit, clock)
        self._exports = exports

    async def run(self, account: Account, ledger: Ledger) -> tuple[Export, ExportDelivery]:
        """A new export, and how its delivery went."""
        request = ExportRequest(ExportFormat(str(ledger)), BOOKING, place=ledger.place)
        made, _ = await self._exports.create(account.id, request, ANN)
        return made, await self.again(account, made)

    async def again(self, account: Account, export: Export) -> ExportDelivery:
        await self.rounds.run_round()
        known = await self._exports.get(account.id, export.id)
        assert known.delivery is not None
        return known.delivery


class TestOdoo:
    @pytest.fixture
    def server(self) -> OdooServer:
        return odoo_server()

    @pytest.fixture
    async def booking(
        self,
        store: Store,
        exports: ExportService,
        connections: LedgerConnectionService,
        sealer: Sealer,
        clock: Clock,
        account: Account,
        server: OdooServer,
    ) -> Booking:
        await connections.connect(account.id, Ledger.ODOO, ODOO, ANN)
        return Booking(store, exports, sealer, clock, server)

    async def test_bills_are_drafts_with_the_ids_of_its_records(
        self, booking: Booking, store: Store, account: Account, server: OdooServer
    ) -> None:
        invoice = await add(store, account)
        _, delivery = await booking.run(account, Ledger.ODOO)
        (move,) = server.moves
        assert delivery.booked == {invoice.id: str(move["id"])}
        assert (delivery.delivered_at is not None, delivery.problem, delivery.due_at) == (True, "", None)
        assert (move["move_type"], move["ref"], move["partner_id"]) == ("in_invoice", "2026-17", 101)
        assert [(line["price_unit"], line["account_id"]) for _, _, line in move["invoice_line_ids"]] == [
            (100.0, 301),
            (10.0, 301),
        ]
        assert move["amount_total"] == 129.7

    async def test_a_credit_note_is_a_refund(
        self, booking: Booking, store: Store, account: Account, server: OdooServer
    ) -> None:
        await add(store, account, document_type=DocumentType.CREDIT_NOTE)
        await booking.run(account, Ledger.ODOO)
        assert [move["move_type"] for move in server.moves] == ["in_refund"]

    async def test_what_is_there_is_not_booked_again(
        self, booking: Booking, store: Store, account: Account, server: OdooServer, clock: Clock
    ) -> None:
        """The answer to the creation was lost: the next try finds the bill by vendor and number."""
        first, second = await add(store, account), await add(store, account, number="8")
        server.lost_answers = 1
        export, delivery = await booking.run(account, Ledger.ODOO)
        assert (delivery.booked, delivery.problem) == (
            {},
            "odoo.example.com cannot be reached: no answer within 60 s",
        )
        assert delivery.due_at is not None
        clock.now += timedelta(minutes=2)
        delivery = await booking.again(account, export)
        assert delivery.booked.keys() == {first.id, second.id}
        assert len(server.moves) == 2

    async def test_what_it_refuses_is_shown_by_invoice_and_the_rest_is_booked(
        self, booking: Booking, store: Store, account: Account, server: OdooServer
    ) -> None:
        good, bad = await add(store, account), await add(store, account, vendor="Nobody Ltd", number="8")
        export, delivery = await booking.run(account, Ledger.ODOO)
        assert delivery.booked.keys() == {good.id}
        assert delivery.refused == {bad.id: "Odoo has no vendor 'Nobody Ltd'"}
        assert (delivery.problem, delivery.due_at) == ("1 of 2 invoices were not booked", None)
        # Somebody adds the vendor there, and asks for another try.
        server.records["res.partner"].append({"id": 199, "name": "Nobody Ltd", "parent_id": False})
        assert await store.exports.deliver_again(account.id, export.id, export.created_at)
        delivery = await booking.again(account, export)
        assert delivery.booked.keys() == {good.id, bad.id}
        assert (delivery.refused, delivery.problem) == ({}, "")
        assert len(server.moves) == 2

    async def test_a_number_that_is_there_with_another_total_is_no_match(
        self, booking: Booking, store: Store, account: Account, server: OdooServer
    ) -> None:
        there = {"id": 7, "move_type": "in_invoice", "partner_id": 101, "ref": "2026-17", "state": "posted"}
        server.moves.append(there | {"amount_total": 500.0})
        invoice = await add(store, account)
        _, delivery = await booking.run(account, Ledger.ODOO)
        assert delivery.refused == {invoice.id: "Odoo has this number of the vendor already, with the total 500.00"}

    async def test_what_was_unlocked_is_not_booked(
        self, booking: Booking, exports: ExportService, store: Store, account: Account, server: OdooServer
    ) -> None:
        invoice = await add(store, account)
        request = ExportRequest(ExportFormat.ODOO, BOOKING, place="odoo:")
        export, _ = await exports.create(account.id, request, ANN)
        await exports.unlock(account.id, invoice.id, ANN)
        delivery = await booking.again(account, export)
        assert delivery.refused == {invoice.id: "the invoice was unlocked; the next export contains it"}
        assert server.moves == []

    async def test_more_than_one_try_can_take_follow_by_themselves(
        self,
        booking: Booking,
        store: Store,
        account: Account,
        server: OdooServer,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("serve_app.services.exports.push.MOST_AT_ONCE", 2)
        invoices = [await add(store, account, number=number) for number in "12345"]
        _, delivery = await booking.run(account, Ledger.ODOO)
        assert delivery.booked.keys() == {invoice.id for invoice in invoices}
        assert delivery.tries == 1

    async def test_a_key_that_is_not_accepted_is_said(
        self, booking: Booking, connections: LedgerConnectionService, store: Store, account: Account
    ) -> None:
        await connections.connect(account.id, Ledger.ODOO, ODOO | {"api_key": "old"}, ANN)
        await add(store, account)
        _, delivery = await booking.run(account, Ledger.ODOO)
        assert delivery.problem == "Odoo: the API key is not accepted, or lacks a right"
        await connections.disconnect(account.id, Ledger.ODOO, ANN)


class TestXero:
    @pytest.fixture
    def server(self) -> XeroServer:
        return xero_server()

    @pytest.fixture
    async def booking(
        self,
        store: Store,
        exports: ExportService,
        connections: LedgerConnectionService,
        sealer: Sealer,
        clock: Clock,
        account: Account,
        server: XeroServer,
    ) -> Booking:
        await connections.connect(account.id, Ledger.XERO, XERO, ANN)
        return Booking(store, exports, sealer, clock, server)

    async def test_bills_are_drafts_with_the_types_of_its_tax_rates(
        self, booking: Booking, store: Store, account: Account, server: XeroServer
    ) -> None:
        invoice = await add(store, account)
        await add(store, account, number="C-1", document_type=DocumentType.CREDIT_NOTE)
        _, delivery = await booking.run(account, Ledger.XERO)
        assert delivery.delivered_at is not None
        (bill,), (credit,) = server.bills["Invoices"], server.bills["CreditNotes"]
        assert delivery.booked[invoice.id] == bill["InvoiceID"]
        assert (bill["Type"], bill["Status"], bill["Total"]) == ("ACCPAY", "DRAFT", 129.7)
        assert [(line["UnitAmount"], line["TaxAmount"], line["TaxType"]) for line in bill["LineItems"]] == [
            (100.0, 19.0, "INPUT19"),
            (10.0, 0.7, "INPUT7"),
        ]
        assert (credit["Type"], credit["CreditNoteNumber"]) == ("ACCPAYCREDIT", "C-1")

    async def test_the_refresh_token_is_replaced_by_each_use(
        self, booking: Booking, store: Store, sealer: Sealer, account: Account, server: XeroServer
    ) -> None:
        for number in ("1", "2"):
            await add(store, account, number=number)
            _, delivery = await booking.run(account, Ledger.XERO)
            assert delivery.problem == ""
        connection = await store.ledger_connections.get(account.id, Ledger.XERO)
        assert connection is not None
        assert json.loads(sealer.open(connection.sealed))["refresh_token"] == server.refresh == "refresh 3"
        assert "secret" not in str(connection.settings)

    async def test_a_lost_answer_makes_no_second_bill(
        self, booking: Booking, store: Store, account: Account, server: XeroServer, clock: Clock
    ) -> None:
        await add(store, account, number="1,2")
        server.lost_answers = 1
        export, delivery = await booking.run(account, Ledger.XERO)
        assert "cannot be reached" in delivery.problem
        clock.now += timedelta(minutes=2)
        delivery = await booking.again(account, export)
        assert len(delivery.booked) == 1
        assert len(server.bills["Invoices"]) == 1

    async def test_what_it_refuses_is_shown_as_it_says(
        self, booking: Booking, store: Store, account: Account, server: XeroServer
    ) -> None:
        server.accounts.clear()
        invoice = await add(store, account)
        _, delivery = await booking.run(account, Ledger.XERO)
        assert delivery.refused == {invoice.id: "Xero refused it: Account code '4980' is not a valid code"}


class TestQuickBooks:
    @pytest.fixture
    def server(self) -> QuickBooksServer:
        records = {"Vendor": ["Acme GmbH", HOSTILE["quotes"]], "Account": ["4980"], "TaxCode": list(BOOKING_RATES)}
        return QuickBooksServer(records, BOOKING_RATES)

    @pytest.fixture
    async def booking(
        self,
        store: Store,
        exports: ExportService,
        connections: LedgerConnectionService,
        sealer: Sealer,
        clock: Clock,
        account: Account,
        server: QuickBooksServer,
    ) -> Booking:
        await connections.connect(account.id, Ledger.QUICKBOOKS, QUICKBOOKS, ANN)
        return Booking(store, exports, sealer, clock, server)

    async def test_bills_have_the_ids_of_its_records(
        self, booking: Booking, store: Store, account: Account, server: QuickBooksServer
    ) -> None:
        invoice = await add(store, account)
        await add(store, account, vendor=HOSTILE["quotes"], number="it's \\'")
        _, delivery = await booking.run(account, Ledger.QUICKBOOKS)
        assert (delivery.refused, delivery.problem, len(delivery.booked)) == ({}, "", 2)
        bill = next(each for each in server.bills if each["Id"] == delivery.booked[invoice.id])
        assert (bill["DocNumber"], bill["VendorRef"], bill["TotalAmt"]) == ("2026-17", {"value": "Vendor 0"}, 129.7)
        assert [line["Amount"] for line in bill["Line"]] == [100.0, 10.0]

    async def test_a_lost_answer_makes_no_second_bill_and_refusals_are_shown(
        self, booking: Booking, store: Store, account: Account, server: QuickBooksServer, clock: Clock
    ) -> None:
        good, bad = await add(store, account), await add(store, account, number="8", currency="CHF")
        server.lost_answers = 1
        export, delivery = await booking.run(account, Ledger.QUICKBOOKS)
        assert "cannot be reached" in delivery.problem
        clock.now += timedelta(minutes=2)
        delivery = await booking.again(account, export)
        assert delivery.booked.keys() == {good.id}
        assert delivery.refused == {bad.id: "QuickBooks refused it: Currency is not active"}
        assert len(server.bills) == 1


class TestConnections:
    @pytest.mark.parametrize(
        ("ledger", "given", "named"),
        [
            (Ledger.ODOO, ODOO | {"url": "http://odoo.example.com"}, "url"),
            (Ledger.ODOO, ODOO | {"url": "https://127.0.0.1"}, "url"),
            (Ledger.ODOO, {"url": "https://odoo.example.com"}, "api_key"),
            (Ledger.XERO, XERO | {"colour": "red"}, "colour"),
            (Ledger.QUICKBOOKS, QUICKBOOKS | {"realm_id": "../1"}, "realm_id"),
        ],
    )
    async def test_what_is_wrong_is_named_without_its_value(
        self, connections: LedgerConnectionService, account: Account, ledger: Ledger, given: dict[str, str], named: str
    ) -> None:
        with pytest.raises(InvalidParameter) as error:
            await connections.connect(account.id, ledger, given, ANN)
        assert error.value.param == named
        assert "secret" not in str(error.value)

    async def test_without_one_nothing_is_booked(
        self, store: Store, exports: ExportService, sealer: Sealer, clock: Clock, account: Account
    ) -> None:
        await add(store, account)
        _, delivery = await Booking(store, exports, sealer, clock, odoo_server()).run(account, Ledger.ODOO)
        assert "not connected" in delivery.problem

    async def test_secrets_are_sealed_again_and_lost_ones_are_named(
        self,
        connections: LedgerConnectionService,
        store: Store,
        exports: ExportService,
        sealer: Sealer,
        clock: Clock,
        account: Account,
    ) -> None:
        await connections.connect(account.id, Ledger.ODOO, ODOO, ANN)
        before = await store.ledger_connections.get(account.id, Ledger.ODOO)
        assert await reseal_connections(store.ledger_connections, sealer) == 1
        after = await store.ledger_connections.get(account.id, Ledger.ODOO)
        assert before is not None
        assert after is not None
        assert sealer.open(after.sealed) == sealer.open(before.sealed)
        assert after.sealed != before.sealed
        await add(store, account)
        other = Sealer([new_key()])
        _, delivery = await Booking(store, exports, other, clock, odoo_server()).run(account, Ledger.ODOO)
        assert "cannot be decrypted" in delivery.problem

    async def test_of_an_unknown_account_there_is_none(self, connections: LedgerConnectionService) -> None:
        with pytest.raises(LookupError):
            await connections.connect(new_id(), Ledger.XERO, XERO, ANN)
        with pytest.raises(LookupError):
            await connections.disconnect(new_id(), Ledger.XERO, ANN)
