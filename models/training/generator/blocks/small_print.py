"""What surrounds an invoice: payment terms, bank details, legal notes, footers, page numbers."""

from decimal import Decimal
from functools import partial

from models.training.generator.blocks.parties import contact_lines, number_pair, seller
from models.training.generator.core.canvas import Rich, Text, fill_slots, join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.core.profile import Profile
from models.training.generator.facts.identifiers import signature_number
from models.training.generator.facts.names import brand
from serve_app.domain.labels import Label


def payment(pen: Pen) -> None:
    """Due date or terms as a sentence."""
    printed = Label.DUE_DATE in pen.canvas.first
    if pen.chance(0.15 if printed else 0.35):
        pen.paragraph(pen.sentence("pay_prose" if pen.chance(0.2) else "due_prose"))
    elif pen.chance(0.45):
        pen.paragraph(pen.sentence("term_prose"))


def bank_lines(pen: Pen) -> list[Text]:
    party, rng = pen.case.seller, pen.rng
    lines: list[Text] = [join(pen.tagged("bank"), " ", party.bank) if rng.random() < 0.6 else party.bank]
    if rng.random() < 0.35:
        lines.append(join(pen.tagged("account_name"), " ", seller(pen)))
    lines.append(join("IBAN", pen.style.suffix or ":", " ", [(party.iban, Label.OTHER_NUMBER)]))
    if rng.random() < 0.6:
        lines.append(
            join(rng.choice(("BIC", "SWIFT", "BIC/SWIFT", "SWIFT-BIC")), ": ", [(party.bic, Label.OTHER_NUMBER)])
        )
    if rng.random() < 0.2:
        lines.append(number_pair(pen, "account", party.tax_no))
    if rng.random() < 0.12:
        lines.append(join(pen.tagged("payment_ref"), " ", [(pen.case.number, Label.INVOICE_NUMBER)]))
    return lines


def bank_details(pen: Pen) -> None:
    if pen.chance(0.3):
        pen.paragraph(join(*(join(line, pen.rng.choice((", ", " | ", "  "))) for line in bank_lines(pen))))
    else:
        lines = bank_lines(pen)
        pen.room(len(lines) * pen.step)
        pen.lines(lines, pen.left)


def notes(pen: Pen, most: int = 4) -> None:
    """Legal notes, thanks and advertising in small paragraphs."""
    size = pen.size * pen.rng.choice((1.0, 0.85, 0.75))
    for _ in range(pen.rng.randint(0, most)):
        key = pen.rng.choices(("legal", "thanks", "ads"), (60, 30, 10))[0]
        pen.paragraph(pen.sentence(key), size=size)
        pen.skip(0.3)


def foreign_name(pen: Pen) -> None:
    """A name that is neither of the parties': software, a carrier, a parent company."""
    before = pen.rng.choice(
        ("Powered by", "Software:", "Printed with", "Member of", "Partner:", "©", "via", "Created with")
    )
    pen.line(f"{before} {brand(pen.rng)}", size=pen.size * 0.8, align=pen.rng.choice(("left", "center", "right")))


def currency_note(pen: Pen) -> None:
    """The currency of all amounts, said once, beside a caption or in a sentence."""
    mark: Rich = [(pen.case.currency, Label.CURRENCY)]
    if pen.chance(0.5):
        pen.line(join(pen.tagged("currency"), " ", mark))
    else:
        pen.line(fill_slots(pen.fresh("currency_prose"), currency=mark))
    pen.currency_shown = True


def early_discount(pen: Pen) -> None:
    """The reduced amount for early payment: not an amount to extract."""
    rate = Decimal(pen.rng.choice((2, 2, 3, 1, 5)))
    rest = quantize(pen.case.amount_due * (100 - rate) / 100, pen.case.currency)
    pen.paragraph(fill_slots(pen.fresh("early_discount"), rate=pen.rate(rate), sum=pen.money(rest, None)))


def signature(pen: Pen) -> None:
    """Signatures of an electronic invoice: identifiers and hashes, longer than any invoice number."""
    for _ in range(pen.rng.choice((1, 1, 2))):
        text = join(
            pen.fresh("signature"), pen.rng.choice((": ", " ", ":")), [(signature_number(pen.rng), Label.OTHER_NUMBER)]
        )
        pen.paragraph(text, size=pen.size * pen.rng.choice((1.0, 0.8)))


def conditions(pen: Pen) -> None:
    """A long text of conditions, as on the back of many invoices."""
    keys = ("legal", "letter", "legal", "term_prose")
    for number in range(1, pen.rng.randint(4, 14)):
        text = join(f"{number}. ", pen.sentence(pen.rng.choice(keys)), " ", pen.sentence("letter"))
        pen.paragraph(text, size=pen.size * 0.8)


def columns_footer(pen: Pen) -> None:
    """A footer of two to four columns on every page: name, contacts, bank, register."""
    columns = [_name_column(pen), contact_lines(pen, pen.case.seller), bank_lines(pen), _register_column(pen)]
    columns = [column for column in columns if column][: pen.rng.choice((2, 3, 3, 4))]
    if pen.chance(0.3):
        pen.rng.shuffle(columns)
    size = max(5.5, pen.size * 0.75)
    deepest = max(len(column) for column in columns)
    pen.bottom_margin = max(pen.bottom_margin, deepest * size * 1.25 + 30)
    pen.on_finish.append(partial(_draw_columns, pen, columns, size))


def _name_column(pen: Pen) -> list[Text]:
    lines: list[Text] = [seller(pen)]
    return lines + list(pen.case.seller.address)


def _register_column(pen: Pen) -> list[Text]:
    party = pen.case.seller
    lines: list[Text] = [
        join(pen.word("register"), " ", [(str(pen.rng.randint(1000, 999999)), Label.OTHER_NUMBER)]),
        join(pen.tagged("director"), " ", party.person),
        number_pair(pen, "vat_id", party.vat),
        number_pair(pen, "tax_number", party.tax_no),
    ]
    return [line for line in lines if pen.chance(0.7)]


def _draw_columns(pen: Pen, columns: list[list[Text]], size: float, page: int, pages: int) -> None:
    if page not in (1, pages) and pen.profile is Profile.VERIFIER:
        return
    widths = [max(pen.canvas.text_width(line, size) for line in column) + 10 for column in columns]
    if sum(widths) > pen.width:
        size, widths = size * pen.width / sum(widths), [width * pen.width / sum(widths) for width in widths]
    spare = (pen.width - sum(widths)) / len(columns)
    x, top = pen.left, pen.style.height - pen.bottom_margin + 12
    for column, width in zip(columns, widths, strict=True):
        for row, line in enumerate(column):
            pen.canvas.line(line, x, top + row * size * 1.25, size)
        x += width + spare


def line_footer(pen: Pen) -> None:
    """A footer of one centred line: name, address and numbers."""
    party = pen.case.seller
    mark = pen.rng.choice((" | ", " · ", " - ", ", "))
    parts: list[Text] = [seller(pen), ", ".join(party.address[-2:]), *contact_lines(pen, party)]
    text = join(*(join(mark if index else "", part) for index, part in enumerate(parts)))

    def draw(page: int, pages: int) -> None:
        size = max(5.5, pen.size * 0.7)
        pen.canvas.paragraph(text, pen.left, pen.style.height - pen.bottom_margin + 14, pen.width, size, align="center")

    pen.on_finish.append(draw)


def page_numbers(pen: Pen) -> None:
    template = pen.word("page")
    align = pen.rng.choice(("left", "center", "right"))
    top = pen.chance(0.15)

    def draw(page: int, pages: int) -> None:
        x = {"left": pen.left, "center": pen.style.width / 2, "right": pen.right}[align]
        y = 14.0 if top else pen.style.height - 18
        pen.canvas.line(template.format(n=page, m=pages), x, y, pen.size * 0.85, align=align)

    if "{n}" in template:
        pen.on_finish.append(draw)


# What may follow the totals, and how often it does.
_CLOSING = ((bank_details, 0.4), (notes, 0.7), (foreign_name, 0.08), (early_discount, 0.05), (signature, 0.05))


def closing(pen: Pen) -> None:
    """A random selection of everything that follows the totals."""
    pen.skip(pen.rng.uniform(0.5, 2.5))
    steps = [payment, *(step for step, share in _CLOSING if pen.chance(share))]
    if pen.chance(0.05 if pen.currency_shown else 0.2):
        steps.append(currency_note)
    if pen.chance(0.3):
        pen.rng.shuffle(steps)
    for step in steps:
        step(pen)
        pen.skip(0.4)
    if pen.chance(0.2):
        pen.line(pen.fresh("regards"))
        pen.line(seller(pen) if pen.chance(0.4) else pen.case.seller.person)
    if pen.chance(0.09):
        if pen.chance(0.35):
            pen.new_page()
        conditions(pen)


def any_footer(pen: Pen, share: float = 0.6) -> None:
    """Footers are declared before the table, so that it leaves room for them."""
    if pen.chance(share):
        pen.rng.choice((columns_footer, line_footer))(pen)
    if pen.chance(0.35):
        page_numbers(pen)
