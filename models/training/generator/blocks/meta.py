"""Titles and the invoice's own data: number, dates and the look-alikes around them."""

from collections.abc import Sequence
from decimal import Decimal

from models.training.generator.blocks.strips import strip
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.identifiers import invoice_number, uuid_like
from serve_app.domain.labels import Label

Pair = tuple[str, Rich]
_TITLES = {"invoice": "title_invoice", "credit": "title_credit"}


def number(pen: Pen) -> Rich:
    return [(pen.case.number, Label.INVOICE_NUMBER)]


def issued(pen: Pen, *, short: bool = False) -> Rich:
    return pen.day(pen.case.issued, Label.ISSUE_DATE, short=short)


def title_text(pen: Pen, key: str | None = None) -> str:
    text = pen.word(key or _TITLES[pen.case.kind])
    if len(text) < 14 and pen.chance(0.03):
        return " ".join(text.upper())
    return text.upper() if pen.chance(0.3) else text


def title(pen: Pen, x: float, *, align: str = "left", key: str | None = None, size: float | None = None) -> None:
    pen.line(
        title_text(pen, key),
        x,
        size=size or pen.size * pen.rng.choice((1.0, 1.3, 1.6, 2.0, 2.6)),
        bold=pen.chance(0.7),
        align=align,
    )


def copy_mark(pen: Pen) -> None:
    """`ORIGINAL` or `COPY` somewhere on top."""
    text = pen.rng.choice(
        ("ORIGINAL", "Original", "COPY", "DUPLICATE", "Kopie", "Duplicata", "Copia", "ORIGINAL FOR RECIPIENT")
    )
    pen.line(text, align=pen.rng.choice(("left", "right", "center")), size=pen.size * 0.9)


def title_line(pen: Pen, x: float, *, key: str | None = None, with_date: bool | None = None) -> None:
    """`Invoice No. 4711 of 1 March 2024` in one line."""
    words: Rich = join(
        title_text(pen, key), pen.rng.choice((" ", " ", " ", f" ({pen.rng.randint(1, 399)}) ", " - ", ": "))
    )
    if pen.chance(0.6):
        words = join(words, pen.word("number"), " ")
    words = join(words, pen.rng.choice(("", "", "", "", "# ", "#", ":")), number(pen))
    if with_date if with_date is not None else pen.chance(0.5):
        words = join(words, " ", pen.word("dated"), " ", issued(pen))
    pen.line(words, x, size=pen.size * pen.rng.choice((1.0, 1.2, 1.5, 1.8)), bold=pen.chance(0.7))


def number_key(pen: Pen) -> str:
    """The caption of the document's number."""
    if pen.case.kind == "credit":
        return "credit_number"
    return "unusual_number" if pen.unusual_number else "invoice_number"


def till_key(pen: Pen) -> str:
    """The caption of a receipt's number."""
    return "unusual_number" if pen.unusual_number else "receipt_number"


def decoys(pen: Pen, count: int) -> list[Pair]:
    """Look-alike fields around the real ones."""
    case, rng = pen.case, pen.rng
    period = join(
        pen.day(case.period[0], Label.OTHER_DATE),
        rng.choice((" - ", " – ", " / ")),
        pen.day(case.period[1], Label.OTHER_DATE),
    )
    choices: list[Pair] = [
        (key, [(case.numbers[key], Label.OTHER_NUMBER)])
        for key in (
            "customer_number",
            "customer_number",
            "order_number",
            "order_number",
            "delivery_number",
            "supplier_number",
            "other_number",
        )
        if not (pen.unusual_number and key == "other_number")
    ]
    choices += [
        ("other_date", pen.day(case.other_date, Label.OTHER_DATE)),
        ("other_date", pen.day(case.other_date, Label.OTHER_DATE)),
        ("service_period", period),
        ("contact", [(case.seller.person, None)]),
        ("terms", pen.sentence("term_prose")),
        ("method", [(pen.fresh("method_values"), None)]),
        ("vat_id", [(case.seller.vat if rng.random() < 0.6 else case.buyer.vat, Label.OTHER_NUMBER)]),
        ("tax_number", [(case.seller.tax_no, Label.OTHER_NUMBER)]),
        ("phone", [(case.seller.phone, Label.OTHER_NUMBER)]),
    ]
    if rng.random() < 0.25:
        choices.append(("signature", join([(uuid_like(rng), Label.OTHER_NUMBER)])))
    if rng.random() < 0.3:
        factor = Decimal(str(round(rng.uniform(1.1, 9), 1)))
        contract = pen.style.totals_money.plain(quantize(case.total * factor, case.currency))
        choices.append(("contract_sum", [(contract, None)]))
    if rng.random() < 0.12:
        choices.append(("currency", [(case.currency, Label.CURRENCY)]))
    if case.kind == "credit":
        choices += [("original", [(invoice_number(rng, case.other_date), Label.OTHER_NUMBER)])] * 6
    picked: dict[str, Rich] = dict(rng.sample(choices, min(count, len(choices))))
    pen.currency_shown |= "currency" in picked
    return list(picked.items())


def fields(
    pen: Pen, *, extra: int | None = None, with_number: bool = True, with_date: bool = True, due: float = 0.5
) -> list[Pair]:
    """The pairs of a meta block in random order; the invoice's own usually come first."""
    own: list[Pair] = []
    if with_number and pen.chance(0.97):
        own.append((number_key(pen), number(pen)))
    if with_date and pen.chance(0.97):
        own.append(("issue_date", issued(pen)))
    if pen.chance(due):
        own.append(("due_date", pen.day(pen.case.due, Label.DUE_DATE)))
    elif pen.chance(0.12):
        own.append(("due_date", join(pen.fresh("due_terms"))))
    others = decoys(pen, pen.rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6)) if extra is None else extra)
    draw = pen.rng.random()
    if draw < 0.4:
        return own + others
    mixed = own + others
    if draw < 0.8:
        pen.rng.shuffle(mixed)
    else:
        pen.rng.shuffle(own)
        mixed = others + own
    return mixed


def meta_list(pen: Pen, pairs: Sequence[Pair], x: float, width: float) -> None:
    """One pair a line: label left; the value beside it, in a column, or at the far right."""
    mode = pen.rng.choices(("beside", "column", "right", "leaders", "labels right"), (20, 45, 20, 5, 10))[0]
    labels = [pen.tagged(key) for key, _ in pairs]
    widest = max(
        (pen.canvas.text_width(text, pen.size, pen.style.label_bold) for text in labels), default=0
    ) + pen.rng.uniform(5, 25)
    longest = max((pen.canvas.text_width(value, pen.size) for _, value in pairs), default=0)
    if widest + longest > width + 20 or pen.chance(0.03):
        mode = "stacked"
    for text, (_, value) in zip(labels, pairs, strict=True):
        _meta_row(pen, mode, text, value, x, width, widest)


def _meta_row(pen: Pen, mode: str, text: str, value: Rich, x: float, width: float, widest: float) -> None:
    bold = pen.style.label_bold
    if mode == "beside":
        pen.line(join(text, pen.gap_after(text), value), x)
        return
    if mode == "stacked":
        pen.line(text, x, bold=bold)
        pen.y = pen.canvas.paragraph(value, x, pen.y, max(width, 60), pen.size)
        return
    if mode == "leaders":
        dots = max(
            3,
            int((width - pen.canvas.text_width(join(text, value), pen.size)) / pen.canvas.text_width(".", pen.size))
            - 3,
        )
        pen.line(join(text, " ", "." * dots, " ", value), x)
        return
    if mode == "labels right":
        pen.canvas.line(text, x + widest, pen.y, pen.size, bold=bold, align="right")
        pen.line(value, x + widest + 6, bold=pen.style.value_bold)
        return
    pen.canvas.line(text, x, pen.y, pen.size, bold=bold)
    right = mode == "right"
    pen.line(
        value,
        max(x + width, x + widest) if right else x + widest,
        bold=pen.style.value_bold,
        align="right" if right else "left",
    )


def meta_grid(pen: Pen, pairs: Sequence[Pair], x: float, width: float, columns: int | None = None) -> None:
    """Labels above their values, in columns."""
    columns = columns or pen.rng.randint(2, min(6, max(2, len(pairs))))
    align = pen.rng.choice(("left", "left", "left", "center"))
    small = pen.size * pen.rng.choice((1.0, 0.85, 0.8))
    cell = width / columns
    for start in range(0, len(pairs), columns):
        row = pairs[start : start + columns]
        deepest = pen.y
        for index, (key, _) in enumerate(row):
            y = pen.canvas.paragraph(
                pen.label(key), x + index * cell, pen.y, cell - 6, small, bold=pen.style.label_bold, align=align
            )
            deepest = max(deepest, y)
        pen.y = deepest + pen.rng.uniform(0, 3)
        deepest = pen.y + pen.step
        for index, (_, value) in enumerate(row):
            y = pen.canvas.paragraph(
                value, x + index * cell, pen.y, cell - 4, pen.size, bold=pen.style.value_bold, align=align
            )
            deepest = max(deepest, y)
        pen.y = deepest + pen.rng.uniform(2, 10)


def meta_columns(pen: Pen, pairs: Sequence[Pair], x: float, width: float) -> None:
    """Pairs with labels left of their values, in two or three columns beside each other."""
    columns = pen.rng.choice((2, 2, 3)) if len(pairs) > 3 else 2
    cell, per_column = width / columns, -(-len(pairs) // columns)
    top, deepest = pen.y, pen.y
    for column in range(columns):
        pen.y = top
        part = pairs[column * per_column : (column + 1) * per_column]
        for key, value in part:
            pen.pair(key, value, x + column * cell, gap=cell * 0.45 if pen.chance(0.9) else None)
        deepest = max(deepest, pen.y)
    pen.y = deepest


def meta_line(pen: Pen, pairs: Sequence[Pair]) -> None:
    """All pairs in one or two lines of text."""
    mark = pen.rng.choice((" | ", "   ", ", ", " · ", " / "))
    words: Rich = []
    for index, (key, value) in enumerate(pairs):
        words = join(words, mark if index else "", pen.tagged(key), " ", value)
    pen.paragraph(words)


def any_meta(pen: Pen, pairs: Sequence[Pair]) -> None:
    """The pairs in any arrangement over the whole width."""
    draw = pen.rng.random()
    if draw < 0.2:
        strip(pen, pairs)
    elif draw < 0.45:
        meta_grid(pen, pairs, pen.left, pen.width)
    elif draw < 0.75:
        meta_columns(pen, pairs, pen.left, pen.width)
    elif draw < 0.85:
        meta_line(pen, pairs)
    else:
        meta_list(pen, pairs, pen.left, pen.width * pen.rng.uniform(0.35, 1.0))
