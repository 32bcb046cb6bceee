"""Firms that book invoices: their vendors, and the habits of their clerks. All of it is generated."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from serve_app.domain.chart import Chart, ChartCode, Dimension
from serve_app.domain.invoice import Extraction, LineItem

Codes = dict[str, str | None]
Booked = list[list[tuple[str, Codes]]]
"""Of each line the shares, in percent, with their codes."""
# Account, its names in German and English, and what lines of it say; the first is what most lines of a trade are.
ACCOUNTS = {
    "4930": (
        "Bürobedarf",
        "Copy paper A4",
        "Toner cartridge black",
        "Ballpoint pens blue",
        "Ordner breit",
        "Heftstreifen",
    ),
    "4920": ("Telefon", "Mobile tariff business", "Grundgebühr Festnetz", "Roaming charges", "Datenvolumen"),
    "4240": ("Gas, Strom, Wasser", "Electricity working price", "Abschlag Strom", "Grundpreis Zähler", "Netzentgelt"),
    "4530": ("Laufende Kfz-Betriebskosten", "Diesel litres", "Super E10", "Motoröl 5W30", "Car wash premium"),
    "4540": ("Kfz-Reparaturen", "Inspection labour", "Brake pads front", "Reifenwechsel", "Ölwechsel"),
    "4660": ("Reisekosten", "Hotel room single", "Train ticket second class", "Flight economy", "Taxi"),
    "4650": ("Bewirtungskosten", "Lunch menu", "Coffee beans", "Catering buffet", "Getränke"),
    "4610": ("Werbekosten", "Search ads campaign", "Flyer printing", "Anzeige Stadtblatt", "Messestand"),
    "4964": (
        "Aufwendungen Lizenzen",
        "Software subscription seat",
        "Cloud hosting instance",
        "Licence renewal",
        "Backup storage",
    ),
    "4957": ("Abschluss- und Prüfungskosten", "Bookkeeping month", "Lohnabrechnung", "Tax return", "Beratung Stunden"),
    "4250": ("Reinigung", "Office cleaning", "Window cleaning", "Reinigungsmittel", "Sonderreinigung"),
    "4210": ("Miete", "Rent office", "Nebenkosten", "Stellplatz", "Ground rent"),
    "3400": ("Wareneingang", "Steel profile", "Screws M8", "Holzplatten", "Dichtungen", "Kabel NYM"),
    "0420": ("Büroeinrichtung", "Desk height adjustable", "Office chair", "Regal", "Meeting table"),
    "4910": ("Porto", "Parcel shipping", "Letters franking", "Express delivery", "Retoure"),
    "4360": ("Versicherungen", "Liability insurance premium", "Betriebshaftpflicht", "Car insurance", "Cyber policy"),
    "4390": ("Sonstige Abgaben", "Membership fee chamber", "Rundfunkbeitrag", "Licence fee city"),
    "4806": ("Wartungskosten", "Maintenance contract", "Printer service", "Aufzugswartung"),
}
TAXES = {"9": "Vorsteuer 19 %", "8": "Vorsteuer 7 %", "94": "Reverse charge 19 %", "0": "Ohne Steuer"}
_SYLLABLES = ("ba", "ker", "lo", "min", "tra", "vos", "del", "ru", "sten", "ha", "gri", "wel", "mo", "fei", "zu", "nor")


@dataclass
class Habit:
    """What a firm books lines of one kind on, of one vendor. `split` are the shares of cost centres."""

    codes: Codes
    split: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Vendor:
    """`lines` are the texts of its lines with their habits; `weight` is how often it bills."""

    name: str
    lines: dict[str, Habit]
    weight: float
    since: int = 0


@dataclass
class Firm:
    """`noise` is the share of codes that its clerk books otherwise than usual."""

    chart: Chart
    vendors: list[Vendor]
    invoices_a_month: int
    noise: float
    entities: Sequence[str]
    random: random.Random

    def invoices(self, month: int) -> Iterator[tuple[Extraction, str, Booked]]:
        """The invoices of a month, each with the entity that it is for and the postings of its lines."""
        active = [vendor for vendor in self.vendors if vendor.since <= month]
        for _ in range(self.invoices_a_month):
            vendor = self.random.choices(active, [each.weight for each in active])[0]
            yield self._invoice(vendor, self.random.choice(self.entities), month)

    def _invoice(self, vendor: Vendor, entity: str, month: int) -> tuple[Extraction, str, Booked]:
        texts = self.random.choices(list(vendor.lines), k=min(4, 1 + int(self.random.expovariate(0.8))))
        items = [self._item(text, month) for text in texts]
        total = sum((item.total or Decimal(0) for item in items), Decimal(0))
        extraction = Extraction(vendor_name=self._printed(vendor.name), amount=total, line_items=items)
        return extraction, entity, [self._booked(vendor.lines[text], entity) for text in texts]

    def _item(self, text: str, month: int) -> LineItem:
        details = self.random.choice(
            ("", f" {month + 1:02d}/2026", f" Art. {self.random.randrange(10_000)}", " 2 Stk.")
        )
        total = Decimal(round(self.random.lognormvariate(4, 1.2), 2)).quantize(Decimal("0.01"))
        return LineItem(description=text + details, quantity=None, unit_price=None, confidence=None, total=total)

    def _printed(self, name: str) -> str:
        """One in a hundred names is misread."""
        return name[:-1] if self.random.random() < 0.01 else name

    def _booked(self, habit: Habit, entity: str) -> list[tuple[str, Codes]]:
        codes = dict(habit.codes)
        if entity and codes["cost_center"] == "site":
            codes["cost_center"] = entity
        for dimension in self.chart.dimensions:
            if self.random.random() < self.noise:
                codes[dimension.key] = self.random.choice(dimension.codes).code
        if not habit.split:
            return [("100", codes)]
        return [(share, codes | {"cost_center": center}) for center, share in habit.split]

    def change_habits(self) -> None:
        """What a new clerk or a new chart of cost centres does: a fifth of the habits are others from now on."""
        centers = [code.code for code in self.chart.dimensions[1].codes]
        for vendor in self.vendors:
            for habit in vendor.lines.values():
                if self.random.random() < 0.2:
                    key = self.random.choice(("account", "cost_center"))
                    habit.codes[key] = self.random.choice(list(ACCOUNTS) if key == "account" else centers)
                    habit.split = []


def make_firm(seed: int) -> Firm:
    """A firm; the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - a simulation
    centers = [f"{number}00" for number in range(1, rng.randint(3, 8) + 1)]
    entities = [""] if rng.random() < 0.6 else centers[:2]
    vendors = [_vendor(rng, centers, entities != [""], month) for month in _arrivals(rng)]
    chart = Chart(
        dimensions=[
            _dimension("account", {code: names[0] for code, names in ACCOUNTS.items()}),
            _dimension("cost_center", dict.fromkeys(centers, "")),
            _dimension("tax_code", TAXES),
        ]
    )
    noise = rng.choice((0.0, 0.0, 0.001, 0.002, 0.005, 0.01))
    return Firm(chart, vendors, rng.choice((40, 80, 120, 200, 300)), noise, entities, rng)


def _arrivals(rng: random.Random) -> Iterator[int]:
    """The month in which each vendor comes: most are there from the beginning."""
    yield from [0] * rng.randint(15, 40)
    for month in range(1, 12):
        yield from [month] * rng.randint(1, 3)


def _vendor(rng: random.Random, centers: Sequence[str], has_sites: bool, since: int) -> Vendor:
    trade, *others = rng.sample(list(ACCOUNTS), 3)
    name = "".join(rng.choices(_SYLLABLES, k=3)).title() + rng.choice((" GmbH", " AG", " KG", " Ltd", ""))
    if rng.random() < 0.3:
        name = f"{name.split()[0]} {ACCOUNTS[trade][0].split()[0]} GmbH"
    # What it sells besides, as an office supplier sells coffee, is booked on another account.
    kinds = [trade] if rng.random() < 0.6 else [trade, *others[: rng.randint(1, 2)]]
    usual = rng.choice(centers) if not has_sites or rng.random() < 0.5 else "site"
    tax = rng.choices(("9", "94", "0"), (8, 1, 1))[0]
    lines = {
        text: _habit(rng, account, usual, centers, tax)
        for account in kinds
        for text in rng.sample(ACCOUNTS[account][1:], min(3, len(ACCOUNTS[account]) - 1))
    }
    return Vendor(name, lines, 1 / (1 + rng.randrange(20)), since)


def _habit(rng: random.Random, account: str, usual: str, centers: Sequence[str], tax: str) -> Habit:
    codes: Codes = {"account": account, "cost_center": usual, "tax_code": "8" if account == "4650" else tax}
    if rng.random() < 0.1:
        codes["cost_center"] = rng.choice(centers)
    if rng.random() < 0.05:
        return Habit(codes, [(centers[0], "60"), (centers[1], "40")])
    return Habit(codes)


def _dimension(key: str, names: dict[str, str]) -> Dimension:
    codes = [ChartCode(code=code, name=name) for code, name in names.items()]
    return Dimension(key=key, name=key, codes=codes)
