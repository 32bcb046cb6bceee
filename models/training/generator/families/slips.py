"""Invoices that end in a payment slip, and ones with their sums on top."""

from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_QR = {
    "de": (
        "Empfangsschein",
        "Zahlteil",
        "Konto / Zahlbar an",
        "Referenz",
        "Zahlbar durch",
        "Währung",
        "Betrag",
        "Annahmestelle",
    ),
    "fr": (
        "Récépissé",
        "Section paiement",
        "Compte / Payable à",
        "Référence",
        "Payable par",
        "Monnaie",
        "Montant",
        "Point de dépôt",
    ),
    "it": (
        "Ricevuta",
        "Sezione pagamento",
        "Conto / Pagabile a",
        "Riferimento",
        "Pagabile da",
        "Valuta",
        "Importo",
        "Punto di accettazione",
    ),
}


def _qr_part(pen: Pen, words: tuple[str, ...], wide: bool, reference: str, x: float) -> None:
    """The receipt (narrow) or the payment part (wide) of a slip."""
    case, size = pen.case, pen.size * 0.85
    column = x + (pen.width * 0.25 if wide else 0)
    pen.line(words[1] if wide else words[0], x, size=size * 1.2, bold=True)
    lines: list[Text] = [
        words[2],
        [(case.seller.iban, Label.OTHER_NUMBER)],
        parties.seller(pen),
        *case.seller.address[-2:],
        words[3],
        [(reference, Label.OTHER_NUMBER)],
        words[4],
        parties.buyer(pen),
        *case.buyer.address[-2:],
    ]
    pen.lines(lines, column, size=size)
    pen.canvas.line(words[5], x, pen.y, size, bold=True)
    pen.line(words[6], x + 45, size=size, bold=True)
    pen.canvas.line([(case.currency, Label.CURRENCY)], x, pen.y, size)
    pen.currency_shown = True
    pen.line([(pen.style.totals_money.plain(case.amount_due), Label.AMOUNT_DUE)], x + 45, size=size)
    if not wide:
        pen.line(words[7], x + pen.width * 0.2, size=size)


@family(Brief(countries=("CH",), gross_share=0.1, credit_share=0), weight=1.0)
def swiss_slip(pen: Pen) -> None:
    """A Swiss invoice with its QR slip on the lower third (or the next page)."""
    x = pen.left + pen.width * 0.55
    parties.letterhead(pen, pen.left)
    pen.skip(0.5)
    parties.buyer_block(pen, pen.rng.choice((pen.left, x)), heading=False)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.4) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, extra=2))
    pen.skip(0.5)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.payment(pen)
    pen.room(235)
    pen.y = max(pen.y, pen.style.height - 300)
    words = _QR.get(pen.case.language, _QR["de"])
    reference = fill("## ##### ##### ##### ##### #####", pen.rng)
    narrow, wide = partial(_qr_part, pen, words, False, reference), partial(_qr_part, pen, words, True, reference)
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, lambda _, x: narrow(x)),
        (pen.left + pen.width * 0.38, lambda _, x: wide(x)),
    ]
    parties.side_by_side(pen, blocks)


@family(Brief(credit_share=0), weight=1.0)
def stub(pen: Pen) -> None:
    """A part to return with the payment: number, customer and amount once more."""
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, due=0.7)
    head: list[tuple[float, parties.Block]] = [
        (pen.left, parties.letterhead),
        (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x)),
    ]
    parties.side_by_side(pen, head)
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    if pen.chance(0.6):
        meta.title(pen, pen.left)
    body(pen)
    pen.room(120)
    pen.line("- " * 60 if pen.chance(0.5) else "✂ " + "-" * 40)
    again: list[meta.Pair] = [
        (meta.number_key(pen), meta.number(pen)),
        ("customer_number", [(pen.case.numbers["customer_number"], Label.OTHER_NUMBER)]),
        ("amount_due", pen.money(pen.case.amount_due, Label.AMOUNT_DUE)),
    ]
    if Label.DUE_DATE in pen.canvas.first:
        again.append(("due_date", pen.day(pen.case.due, Label.DUE_DATE)))
    pen.rng.shuffle(again)
    remit = partial(meta.meta_list, pen, again)
    parties.side_by_side(
        pen, [(pen.left, partial(parties.seller_block, heading=True)), (x, lambda pen, x: remit(x, pen.right - x))]
    )


@family(Brief(credit_share=0.02), weight=0.9)
def sums_on_top(pen: Pen) -> None:
    """The amount due in a box beside the address; details follow."""
    small_print.any_footer(pen, 0.5)
    x = pen.left + pen.width * 0.58
    pairs: list[meta.Pair] = [
        *meta.fields(pen, due=0.8),
        ("amount_due", pen.money(pen.case.amount_due, Label.AMOUNT_DUE)),
    ]
    parties.letterhead(pen, pen.left)
    pen.skip(0.5)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)


@family(Brief(credit_share=0), weight=0.8)
def proforma(pen: Pen) -> None:
    """A proforma invoice: read like any other."""
    small_print.any_footer(pen, 0.4)
    meta.title(pen, pen.style.width / 2, align="center", key="title_proforma")
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (pen.left + pen.width * 0.55, partial(parties.buyer_block, heading=True))]
    )
    meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    body(pen)


@family(weight=1.0)
def three_columns(pen: Pen) -> None:
    """Issuer, customer and data beside each other on top."""
    small_print.any_footer(pen, 0.4)
    pairs = meta.fields(pen, extra=pen.rng.randint(0, 3))
    third = pen.width / 3
    blocks: list[parties.Block] = [
        partial(parties.seller_block, heading=pen.chance(0.5)),
        partial(parties.buyer_block, heading=True),
        lambda pen, x: meta.meta_list(pen, pairs, x, third - 8),
    ]
    if pen.chance(0.5):
        pen.rng.shuffle(blocks)
    if pen.chance(0.7):
        meta.title(pen, pen.rng.choice((pen.left, pen.left + third)))
        pen.skip(0.5)
    parties.side_by_side(pen, [(pen.left + index * third, block) for index, block in enumerate(blocks)])
    pen.skip(1)
    body(pen)


@family(weight=0.8, held_out=True)
def title_band(pen: Pen) -> None:
    """A band with title, number and date in one line above everything; parties below it, the issuer at the right."""
    small_print.any_footer(pen, 0.4)
    meta.title_line(pen, pen.left, with_date=True)
    pen.skip(1)
    meta.any_meta(pen, meta.fields(pen, with_number=False, with_date=False, extra=pen.rng.randint(1, 5)))
    x = pen.left + pen.width * 0.55
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, partial(parties.seller_block, heading=pen.chance(0.4)))]
    )
    pen.skip(1)
    body(pen)


@family(Brief(countries=("IT", "ES", "PT", "TR", "BR", "MX", "FR"), several_rates=0.35), weight=1.1)
def southern_grid(pen: Pen) -> None:
    """A printed form: issuer left, customer in a box right, rows of small boxes, sums in boxes at the bottom."""
    x = pen.left + pen.width * 0.52
    parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, partial(parties.buyer_block, heading=True))])
    pen.skip(0.5)
    if pen.chance(0.6):
        meta.title(pen, pen.left)
    pairs = meta.fields(pen, extra=pen.rng.randint(3, 7))
    meta.meta_grid(pen, pairs, pen.left, pen.width, min(len(pairs), pen.rng.randint(4, 7)))
    draw_table(pen)
    pen.y = max(pen.y, pen.style.height * pen.rng.uniform(0.6, 0.75)) if pen.chance(0.6) else pen.y + pen.step
    if pen.chance(0.6):
        totals.tax_table(pen, width=pen.width * 0.6)
    totals.totals_row(pen)
    small_print.closing(pen)


@family(Brief(rows=(1, 6), long_share=0), weight=0.8, held_out=True)
def pairs_page(pen: Pen) -> None:
    """No letterhead: everything is label and value, the parties too."""
    rows: list[meta.Pair] = [
        ("sold_by", parties.seller(pen)),
        ("street", join(", ".join(pen.case.seller.address))),
        *meta.fields(pen, extra=pen.rng.randint(2, 5)),
        ("bill_to", parties.buyer(pen)),
        ("ship_to", join(", ".join(pen.case.buyer.address))),
    ]
    if pen.chance(0.4):
        pen.rng.shuffle(rows)
    meta.title(pen, pen.left)
    pen.skip(1)
    draw = pen.rng.random()
    if draw < 0.5:
        meta.meta_list(pen, rows, pen.left, pen.width)
    elif draw < 0.75:
        meta.meta_columns(pen, rows, pen.left, pen.width)
    else:
        meta.meta_grid(pen, rows, pen.left, pen.width, 2)
    pen.skip(1)
    body(pen)
