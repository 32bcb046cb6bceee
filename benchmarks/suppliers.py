"""What the checks of suppliers catch in a year of an account, and how many honest invoices they disturb.

    python benchmarks/suppliers.py

200 suppliers bill every month. Some move to another bank, use several rates of tax, have branches or no regular
numbers, and some values are misread or missing. A person confirms what is honest. 48 frauds of twelve kinds are
planted, at random suppliers after half a year, each as somebody would who knows an earlier invoice.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from faker import Faker

from serve_app.domain.batch import Section
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    CheckSeverity,
    Details,
    Extraction,
    FileInfo,
    Invoice,
    Source,
    Status,
    SupplierCheck,
)
from serve_app.domain.query import InvoiceQuery, ListPage
from serve_app.domain.vendor import IdentifierKind, Vendor, VendorDetails
from serve_app.extraction.checks.tax_rate import tax_rate_check
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.store.base import Store

ACCOUNT = new_id()
SUPPLIERS, MONTHS, FRAUDS, SEEDS = 200, 12, 48, 5
LOCALES = ("de_DE", "en_GB", "fr_FR", "it_IT", "nl_NL", "es_ES", "pl_PL")
MOVES, MISREAD, MISSING, FORWARDED, OUTLIER = 0.004, 0.02, 0.03, 0.03, 0.01


@dataclass
class Bill:
    """One invoice as it is read, and who mailed it."""

    extraction: Extraction
    vendor: VendorDetails
    sender: str | None


@dataclass
class Memory:
    """The stores that the guard asks, in memory; newest invoices first."""

    bills: dict[UUID, list[Invoice]] = field(default_factory=dict)
    names: dict[str, UUID] = field(default_factory=dict)
    vendors: dict[UUID, Vendor] = field(default_factory=dict)
    senders: dict[UUID, str] = field(default_factory=dict)

    async def page(self, account_id: UUID, query: InvoiceQuery, limit: int) -> ListPage[Invoice]:
        return ListPage(tuple(self.bills.get(cast(UUID, query.vendor_id), [])[:limit]), has_more=False)

    async def id_of(self, account_id: UUID, key: str) -> UUID | None:
        return self.names.get(key)

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        return list(self.vendors.values())[:limit]

    async def identified_by(
        self, account_id: UUID, kind: IdentifierKind, value: str, besides: UUID | None
    ) -> UUID | None:
        name = "iban" if kind is IdentifierKind.IBAN else "vendor_tax_id"
        found = {
            id
            for id, bills in self.bills.items()
            if any(each.details and getattr(each.details, name) == value for each in bills)
        }
        found.discard(besides)
        return found.pop() if len(found) == 1 else None

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> list[Any]:
        sender = self.senders.get(invoice_id)
        return [] if sender is None else [SimpleNamespace(heading=SimpleNamespace(sender=sender, original_sender=None))]

    async def of_account(self, account_id: UUID) -> list[Any]:
        return [SimpleNamespace(person=SimpleNamespace(email="clerk@buyer.example"))]

    def add(self, id: UUID, bill: Bill, day: date) -> None:
        name = bill.extraction.vendor_name or "Unknown"
        vendor_id = self.names.setdefault(normalise_vendor(name), new_id())
        at = datetime(day.year, day.month, day.day, tzinfo=UTC)
        invoice = Invoice(
            **{name: getattr(bill.extraction, name) for name in Extraction.model_fields},
            **{"id": id, "status": Status.COMPLETE, "created_at": at, "updated_at": at, "vendor_id": vendor_id},
            source=Source.API if bill.sender is None else Source.EMAIL,
            file=FileInfo(name=None, mime_type=None, size_bytes=None),
        )
        self.bills.setdefault(vendor_id, []).insert(0, invoice)
        website, email = bill.vendor.website, bill.vendor.email
        self.vendors[vendor_id] = Vendor(
            **{"id": vendor_id, "name": name, "invoice_count": 1, "total_billed": Decimal(0), "last_seen_at": day},
            **{"website": website, "email": email, "phone": None},
        )


@dataclass
class Supplier:
    """An honest firm with its habits."""

    chance: Random
    name: str
    domain: str
    iban: str
    tax_id: str
    usual: int
    rates: Sequence[int]
    is_regular: bool
    writes: bool
    number: int

    def bill(self, day: date) -> Bill:
        self.number += self.chance.randrange(1, 30)
        number = f"{day.year}-{self.number}" if self.is_regular else f"{self.chance.randrange(10**6):06}"
        net = Decimal(round(self.usual * self.chance.lognormvariate(0, 0.4) * 100)) / 100
        net *= 7 if self.chance.random() < OUTLIER else 1
        tax = round(net * self.chance.choice(self.rates) / 100, 2)
        read = Extraction(
            **{"vendor_name": self.name, "invoice_number": number, "amount": net + tax, "tax": tax, "currency": "EUR"},
            issued_at=day,
            details=Details(iban=self.iban, vendor_tax_id=self.tax_id),
        )
        return Bill(read, VendorDetails(website=self.domain), f"billing@{self.domain}" if self.writes else None)


def iban(chance: Random, country: str = "DE") -> str:
    return f"{country}{chance.randrange(10**20):020}"


def suppliers(chance: Random) -> list[Supplier]:
    fakers = [Faker(locale) for locale in LOCALES]
    for number, faker in enumerate(fakers):
        faker.seed_instance(chance.randrange(10**9) + number)
    found: list[Supplier] = []
    while len(found) < SUPPLIERS:
        faker = chance.choice(fakers)
        name, is_branch = faker.company(), bool(found) and chance.random() < 0.1
        parent = chance.choice(found) if is_branch else None
        name = f"{parent.name} {faker.city()}" if parent else name
        found.append(
            Supplier(
                chance=chance,
                name=name,
                iban=iban(chance),
                usual=chance.randrange(50, 5000),
                domain=parent.domain if parent else f"{normalise_vendor(name)}.example",
                tax_id=parent.tax_id if parent else f"DE{chance.randrange(10**9):09}",
                rates=(19,) if chance.random() < 0.8 else (7, 19),
                is_regular=chance.random() < 0.7,
                writes=chance.random() < 0.5,
                number=chance.randrange(1000),
            )
        )
    return found


def misread(bill: Bill, chance: Random) -> Bill:
    """What scans and forwards make of an honest invoice."""
    read, details = bill.extraction, cast(Details, bill.extraction.details)
    values: dict[str, Any] = {}
    if chance.random() < MISREAD:
        values["vendor_name"] = _changed(read.vendor_name or "", chance)
    if chance.random() < MISREAD:
        values["invoice_number"] = _changed(read.invoice_number or "", chance)
    gone = {name: None for name in ("iban", "vendor_tax_id") if chance.random() < MISSING}
    forwards = bill.sender is not None and chance.random() < FORWARDED
    extraction = read.model_copy(update=values | {"details": details.model_copy(update=gone)})
    return replace(bill, extraction=extraction, sender="clerk@buyer.example" if forwards else bill.sender)


def _changed(text: str, chance: Random) -> str:
    place = chance.randrange(len(text))
    return text[:place] + chance.choice("abcdeilmnorst0123456789") + text[place + 1 :]


def _with(bill: Bill, iban: str | None = "", tax_id: str | None = "", **values: Any) -> Bill:
    details = cast(Details, bill.extraction.details)
    changes = {name: value for name, value in (("iban", iban), ("vendor_tax_id", tax_id)) if value != ""}
    values["details"] = details.model_copy(update=changes)
    return replace(bill, extraction=bill.extraction.model_copy(update=values))


def _imitated(name: str) -> str:
    """With a letter that looks the same."""
    for letter, other in (("m", "rn"), ("l", "I"), ("o", "0"), ("e", "\u0435"), ("a", "\u0430"), ("i", "l")):
        if letter in name[1:]:
            return name[0] + name[1:].replace(letter, other, 1)
    return f"{name}s"


Forge = Callable[[Bill, Invoice, Random, Bill], Bill]
"""From the invoice that would have come, the last one, and one of another known supplier."""
KINDS: dict[str, Forge] = {
    "another account": lambda bill, last, chance, other: _with(bill, iban(chance)),
    "another account, abroad": lambda bill, last, chance, other: _with(bill, iban(chance, "LT")),
    "imitated name, another account": lambda bill, last, chance, other: _with(
        bill, iban(chance), None, vendor_name=_imitated(bill.extraction.vendor_name or "")
    ),
    "imitated name, copied tax number, another account": lambda bill, last, chance, other: _with(
        bill, iban(chance), vendor_name=_imitated(bill.extraction.vendor_name or "")
    ),
    "imitated domain, new name, another account": lambda bill, last, chance, other: replace(
        _with(bill, iban(chance), None, vendor_name="Central Payment Office"),
        vendor=VendorDetails(website=f"{_imitated((bill.vendor.website or '').partition('.')[0])}.example"),
    ),
    "another tax number": lambda bill, last, chance, other: _with(bill, tax_id=f"DE{chance.randrange(10**9):09}"),
    "number used again, another amount": lambda bill, last, chance, other: _with(
        bill, invoice_number=last.invoice_number
    ),
    "copy with a changed number": lambda bill, last, chance, other: _with(
        bill, invoice_number=f"{last.invoice_number}A", amount=last.amount, tax=last.tax, issued_at=last.issued_at
    ),
    "40 times the amount": lambda bill, last, chance, other: _with(
        bill, amount=(bill.extraction.amount or 0) * 40, tax=(bill.extraction.tax or 0) * 40
    ),
    "no account, a number of another kind": lambda bill, last, chance, other: _with(
        bill, None, invoice_number=f"INV/{chance.randrange(1000)}"
    ),
    "another known supplier's tax number and account": lambda bill, last, chance, other: replace(
        other, extraction=other.extraction.model_copy(update={"vendor_name": bill.extraction.vendor_name})
    ),
    "tax of a rate that the country does not have": lambda bill, last, chance, other: _with(
        bill, tax=round((bill.extraction.amount or Decimal(0)) * 23 / 123, 2)
    ),
}


@dataclass
class Year:
    """Of the frauds, by kind: planted, with any check, and with an alert. Of the honest invoices: how many, and how
    many of each kind of check, those that report a move apart."""

    planted: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    alerted: Counter[str] = field(default_factory=Counter)
    honest: int = 0
    disturbed: int = 0
    alarmed: int = 0
    moved: int = 0
    false: Counter[str] = field(default_factory=Counter)


async def year(seed: int, total: Year) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    memory, firms, today = Memory(), suppliers(chance), date(2025, 1, 1)
    stores = SimpleNamespace(invoices=memory, vendors=memory, mails=memory, memberships=memory)
    guard = SupplierGuard(cast(Store, stores), lambda: datetime(today.year, today.month, today.day, tzinfo=UTC))

    async def check(bill: Bill) -> tuple[UUID, list[SupplierCheck], Bill]:
        id = new_id()
        if bill.sender is not None:
            memory.senders[id] = bill.sender
        rate = tax_rate_check(bill.extraction)
        read = bill.extraction.model_copy(update={"checks": [] if rate is None else [rate]})
        (section,) = await guard.apply(ACCOUNT, id, [Section(1, 1, read, bill.vendor)])
        return id, section.extraction.checks, replace(bill, extraction=section.extraction)

    frauds = [list(KINDS)[number % len(KINDS)] for number in range(FRAUDS)]
    places = set(chance.sample([(firm, month) for firm in range(SUPPLIERS) for month in range(7, MONTHS)], FRAUDS))
    for month in range(MONTHS):
        for number, firm in enumerate(firms):
            today = date(2025, month + 1, chance.randrange(1, 28))
            if (number, month) in places:
                kind = frauds.pop()
                last = memory.bills[memory.names[normalise_vendor(firm.name)]][0]
                other = chance.choice([each for each in firms if each is not firm])
                _, checks, _ = await check(KINDS[kind](firm.bill(today), last, chance, other.bill(today)))
                total.planted[kind] += 1
                total.caught[kind] += bool(checks)
                total.alerted[kind] += any(each.severity is CheckSeverity.ALERT for each in checks)
            moves = chance.random() < MOVES
            firm.iban = iban(chance) if moves else firm.iban
            id, checks, bill = await check(misread(firm.bill(today), chance))
            at = datetime(today.year, today.month, today.day, tzinfo=UTC)
            known = [each.model_copy(update={"confirmed_by": "clerk", "confirmed_at": at}) for each in checks]
            memory.add(id, replace(bill, extraction=bill.extraction.model_copy(update={"checks": known})), today)
            _count(total, checks, moves=moves)


def _count(total: Year, checks: Sequence[SupplierCheck], *, moves: bool) -> None:
    total.honest += 1
    total.moved += moves and bool(checks)
    if not moves:
        total.disturbed += bool(checks)
        total.alarmed += any(each.severity is CheckSeverity.ALERT for each in checks)
        total.false.update(each.kind for each in checks)


def main() -> None:
    total = Year()
    for seed in range(SEEDS):
        asyncio.run(year(seed, total))
    print("| planted | of | with a check | with an alert |\n| --- | ---: | ---: | ---: |")
    for kind in KINDS:
        print(f"| {kind} | {total.planted[kind]} | {total.caught[kind]} | {total.alerted[kind]} |")
    print(f"\n{total.honest:,} honest invoices: {total.moved} moves noticed")
    print(f"disturbed {total.disturbed} ({total.disturbed / total.honest:.2%}), by an alert {total.alarmed}", end=" ")
    print(f"({total.alarmed / total.honest:.2%}): {dict(total.false.most_common())}")


if __name__ == "__main__":
    main()
