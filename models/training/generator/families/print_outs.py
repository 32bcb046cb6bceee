"""Print-outs of electronic invoices: label and value down the page, with the names of EN 16931."""

from collections.abc import Sequence
from decimal import Decimal

from models.training.generator.blocks import meta, parties
from models.training.generator.blocks.table import draw_table, remember
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.lists import Lists, load
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.parties import Party
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_BRIEF = Brief(
    countries=("DE", "DE", "FR", "AT", "GB", "IE", "RO", "SE", "NO"),
    several_rates=0.4,
    gross_share=0,
    credit_share=0.06,
)
Rows = list[tuple[str, Rich]]


def _words(pen: Pen) -> Lists:
    language = pen.case.language
    return load("standard", language if language in ("de", "en", "fr") else "en")


class Printer:
    """Writes pairs with one set of names and one gap between label and value."""

    def __init__(self, pen: Pen, left: float | None = None, width: float | None = None) -> None:
        self.pen, self.words = pen, _words(pen)
        self.left = pen.left if left is None else left
        self.width = pen.width if width is None else width
        self.gap = self.width * pen.rng.uniform(0.32, 0.55)
        self.right = pen.rng.random() < 0.12
        self.index = pen.rng.randrange(8)

    def name(self, key: str) -> str:
        """The same kind of name (with or without term numbers) all over the document."""
        names = self.words[key]
        return names[self.index % len(names)] if self.pen.chance(0.85) else self.pen.rng.choice(names)

    def heading(self, key: str) -> None:
        self.pen.room(self.pen.step * 3)
        self.pen.skip(0.5)
        self.pen.line(self.name(key), self.left, size=self.pen.size * 1.15, bold=True)

    def pairs(self, rows: Sequence[tuple[str, Rich]]) -> None:
        pen = self.pen
        for key, value in rows:
            pen.room(pen.step * 1.5)
            name = self.name(key)
            text: Text = name + pen.style.suffix
            lines = pen.canvas.wrap(pen.canvas.tokens(text), self.gap - 4, pen.size, pen.style.label_bold)
            for row, tokens in enumerate(lines):
                pen.canvas.put(tokens, self.left, pen.y + row * pen.step, pen.size, bold=pen.style.label_bold)
            if self.right:
                pen.canvas.line(value, self.left + self.width, pen.y, pen.size, align="right")
                below = pen.y + pen.step
            else:
                below = pen.canvas.paragraph(value, self.left + self.gap, pen.y, self.width - self.gap, pen.size)
            pen.y = max(below, pen.y + len(lines) * pen.step)


def _number(value: str) -> Rich:
    return [(value, Label.OTHER_NUMBER)]


def _head(pen: Pen) -> Rows:
    case, rng = pen.case, pen.rng
    rows: Rows = [("number", meta.number(pen)), ("issue_date", meta.issued(pen))]
    if rng.random() < 0.6:
        rows.append(("type", join(rng.choice(("380", "Commercial invoice (380)", "381", "380 (Handelsrechnung)")))))
    if rng.random() < 0.85:
        rows.append(("currency", [(case.currency, Label.CURRENCY)]))
        pen.currency_shown = True
    if rng.random() < 0.6:
        rows.append(("due_date", pen.day(case.due, Label.DUE_DATE)))
    others: Rows = [
        ("buyer_reference", _number(case.numbers["supplier_number"])),
        ("order", _number(case.numbers["order_number"])),
        ("period_from", pen.day(case.period[0], Label.OTHER_DATE)),
        ("period_to", pen.day(case.period[1], Label.OTHER_DATE)),
    ]
    rows += [row for row in others if rng.random() < 0.5]
    if rng.random() < 0.4:
        rng.shuffle(rows)
    return rows


def _party(pen: Pen, party: Party, name: Rich, key: str) -> Rows:
    code, _, city = party.place.partition(" ")
    rows: Rows = [
        (key, name),
        ("street", join(party.street)),
        ("zip", join(code)),
        ("city", join(city or code)),
        ("country", join(party.country.code)),
        ("identifier", _number(party.tax_no)),
        ("vat", _number(party.vat)),
        ("contact", join(party.person)),
        ("phone", _number(party.phone)),
        ("mail", join(party.mail)),
    ]
    return [rows[0], *(row for row in rows[1:] if pen.chance(0.7))]


def _amount(pen: Pen, value: Decimal, label: Label | None) -> Rich:
    return pen.money(value, label)


def _totals(pen: Pen) -> Rows:
    case = pen.case
    rows: Rows = [("sum_lines", _amount(pen, case.lines_sum, Label.SUBTOTAL))]
    if case.discount:
        rows.append(("allowances", _amount(pen, case.discount, Label.DISCOUNT)))
    if case.shipping:
        rows.append(("charges", _amount(pen, case.shipping, Label.SHIPPING)))
    rows += [
        ("net", _amount(pen, case.net, Label.SUBTOTAL)),
        ("tax", _amount(pen, case.tax, Label.TAX)),
        ("gross", _amount(pen, case.total, Label.TOTAL)),
    ]
    if case.paid or pen.chance(0.3):
        rows.append(("paid", _amount(pen, case.paid, Label.PAID)))
    if case.paid or pen.chance(0.75):
        rows.append(("due", _amount(pen, case.amount_due, Label.AMOUNT_DUE)))
    return rows


def _breakdown(pen: Pen, printer: Printer) -> None:
    printer.heading("breakdown")
    label = Label.TAX if len(pen.case.taxes) == 1 else Label.TAX_LINE
    for row in pen.case.taxes:
        printer.pairs(
            [
                ("category", join("S" if row.rate else "E")),
                ("base", _amount(pen, row.net, None)),
                ("rate", join(pen.rate(row.rate))),
                ("rate_tax", _amount(pen, row.tax, label)),
            ]
        )


def _lines(pen: Pen, printer: Printer) -> None:
    """Each item as its own block of pairs."""
    printer.heading("lines")
    numbers = pen.style.table_money.numbers
    for index, item in enumerate(pen.case.items, 1):
        places = max(pen.rng.choice((0, 2)), -int(item.quantity.normalize().as_tuple().exponent), 0)
        pen.room(pen.step * 6)
        printer.pairs(
            [
                ("line_id", join(str(index))),
                ("item", [(item.description, Label.LINE_DESCRIPTION)]),
                ("quantity", [(numbers.format(item.quantity, places), Label.LINE_QUANTITY)]),
                ("unit", join(item.unit)),
                ("price", pen.money(item.unit_price, Label.LINE_UNIT_PRICE, style=pen.style.table_money)),
                ("rate", join(pen.rate(item.rate))),
                ("line_net", pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money)),
            ]
        )
        remember(pen, item.description, item)
        pen.skip(0.6)


def _payment(pen: Pen, printer: Printer) -> None:
    if pen.chance(0.7):
        printer.heading("payment")
        rows: Rows = [("account", _number(pen.case.seller.iban))]
        if Label.DUE_DATE not in pen.canvas.first and pen.chance(0.4):
            rows.append(("terms", pen.sentence("due_prose")))
        elif pen.chance(0.4):
            rows.append(("terms", pen.sentence("term_prose")))
        printer.pairs(rows)


@family(_BRIEF, weight=1.2)
def data_sheet(pen: Pen) -> None:
    """One column: head, parties, lines, totals, each with a heading."""
    printer = Printer(pen)
    meta.title(pen, pen.left)
    printer.pairs(_head(pen))
    blocks = [
        ("seller", _party(pen, pen.case.seller, parties.seller(pen), "seller_name")),
        ("buyer", _party(pen, pen.case.buyer, parties.buyer(pen), "buyer_name")),
    ]
    if pen.chance(0.5):
        blocks.reverse()
    for key, rows in blocks:
        printer.heading(key)
        printer.pairs(rows)
    totals_first = pen.chance(0.5)
    if not totals_first:
        _lines(pen, printer)
    printer.heading("totals")
    printer.pairs(_totals(pen))
    if pen.chance(0.7):
        _breakdown(pen, printer)
    _payment(pen, printer)
    if totals_first:
        _lines(pen, printer)


@family(_BRIEF, weight=1.2)
def data_columns(pen: Pen) -> None:
    """Two columns of pairs (buyer and seller, data and totals), a table of lines below or on the next page."""
    meta.title(pen, pen.left)
    half, x = pen.width / 2 - 10, pen.left + pen.width / 2 + 10
    first, second = Printer(pen, pen.left, half), Printer(pen, x, half)
    second.gap, second.index = first.gap, first.index

    def party(printer: Printer, key: str) -> None:
        printer.heading(key)
        case = pen.case
        is_seller = key == "seller"
        name = parties.seller(pen) if is_seller else parties.buyer(pen)
        printer.pairs(_party(pen, case.seller if is_seller else case.buyer, name, f"{key}_name"))

    keys = ["buyer", "seller"] if pen.chance(0.6) else ["seller", "buyer"]
    parties.side_by_side(
        pen, [(pen.left, lambda pen, _: party(first, keys[0])), (x, lambda pen, _: party(second, keys[1]))]
    )
    head, totals = _head(pen), _totals(pen)

    def right(pen: Pen, x: float) -> None:
        second.heading("totals")
        second.right = True
        second.pairs(totals)

    pen.skip(0.5)
    parties.side_by_side(pen, [(pen.left, lambda pen, _: first.pairs(head)), (x, right)])
    _breakdown(pen, first)
    _payment(pen, first)
    pen.skip(1)
    if pen.chance(0.5):
        pen.new_page()
    draw_table(pen)


@family(_BRIEF, weight=0.7, held_out=True)
def term_table(pen: Pen) -> None:
    """Numbered terms in the first column, names in the second, values in the third."""
    printer = Printer(pen, pen.left + 55, pen.width - 55)
    case = pen.case
    terms: Rows = [
        *_head(pen),
        *_party(pen, case.seller, parties.seller(pen), "seller_name"),
        *_party(pen, case.buyer, parties.buyer(pen), "buyer_name"),
        *_totals(pen),
    ]
    pen.line(meta.title_text(pen), size=pen.size * 1.4, bold=True)
    pen.skip(1)
    for number, row in enumerate(terms, 1):
        pen.room(pen.step * 2)
        pen.canvas.line(f"BT-{number + pen.rng.randint(0, 2)}", pen.left, pen.y, pen.size)
        printer.pairs([row])
    _lines(pen, printer)
