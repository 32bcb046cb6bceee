"""Invoices that follow the customs and laws of one country."""

from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.in_words import amount_in_words
from models.training.generator.blocks.names import registered_name
from models.training.generator.blocks.strips import strip
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.facts.identifiers import signature_number, uuid_like
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label


def _other(value: str) -> Rich:
    return [(value, Label.OTHER_NUMBER)]


def _captioned(pen: Pen, caption: str, value: Text, x: float, gap: float) -> None:
    """A caption from no word list, and its value at a distance."""
    pen.canvas.line(caption, x, pen.y, pen.size)
    pen.line(value, x + max(gap, pen.canvas.text_width(caption, pen.size) + 5))


@family(Brief(countries=("DE", "AT", "CH"), several_rates=0.2), weight=1.1)
def reference_line(pen: Pen) -> None:
    """A letter by DIN 676: address window, a line of small captions with values below, the subject, a discount."""
    small_print.any_footer(pen, 0.8)
    parties.letterhead(pen, pen.right, align="right", contacts=pen.chance(0.4))
    pen.y = max(pen.y, 110.0)
    parties.sender_line(pen, pen.left)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(2)
    captions = ["Ihr Zeichen, Ihre Nachricht vom", "Unser Zeichen", "Telefon, Name", "Datum"]
    values: list[Rich] = [
        join(
            _other(pen.case.numbers["order_number"]), ", ", pen.day(pen.case.other_date, Label.OTHER_DATE, short=True)
        ),
        join(_other(pen.case.numbers["other_number"])),
        join(_other(fill("-###", pen.rng)), f" {pen.case.seller.person}"),
        meta.issued(pen),
    ]
    cell = pen.width / 4
    for index, caption in enumerate(captions):
        pen.canvas.line(caption, pen.left + index * cell, pen.y, pen.size * 0.65)
    pen.y += pen.size
    for index, value in enumerate(values):
        pen.canvas.line(value, pen.left + index * cell, pen.y, pen.size * 0.9)
    pen.skip(3)
    meta.title_line(pen, pen.left, with_date=pen.chance(0.2))
    pen.skip(1)
    body(pen)
    if pen.chance(0.5):
        small_print.early_discount(pen)


@family(Brief(countries=("IN",), several_rates=0.45, gross_share=0, untaxed=0.05, scale=2), weight=1.3)
def gst_invoice(pen: Pen) -> None:
    """India: IRN and acknowledgement on top, GSTIN everywhere, HSN codes, halves of the tax, amount in words."""
    case = pen.case
    if pen.chance(0.5):
        for caption, value in (
            ("IRN", _other(signature_number(pen.rng))),
            ("Ack No.", _other(fill("1122########", pen.rng))),
            ("Ack Date", pen.day(case.issued, Label.ISSUE_DATE)),
        ):
            pen.line(join(caption, pen.rng.choice((" : ", ": ", " ")), value), size=pen.size * 0.9)
    meta.title(pen, pen.style.width / 2, align="center")
    pairs = meta.fields(pen, extra=pen.rng.randint(3, 8))

    def left(pen: Pen, x: float) -> None:
        for party, name in ((case.seller, parties.seller(pen)), (case.buyer, parties.buyer(pen))):
            if party is case.buyer:
                pen.line(pen.label("bill_to"), x)
            pen.line(name, x, bold=True)
            pen.lines(list(party.address), x)
            pen.line(join("GSTIN/UIN: ", _other(fill("##?????####?1Z#", pen.rng))), x)
            pen.line(f"State Name : {party.place.split()[0]}, Code : {pen.rng.randint(1, 37):02}", x)
            pen.skip(0.3)

    x = pen.left + pen.width * pen.rng.uniform(0.48, 0.56)
    parties.side_by_side(pen, [(pen.left, left), (x, lambda pen, x: meta.meta_grid(pen, pairs, x, pen.right - x, 2))])
    pen.skip(0.5)
    draw_table(
        pen,
        pen.rng.choice(
            (
                ["pos", "description", "code", "quantity", "unit_price", "unit", "line_total"],
                ["pos", "description", "code", "tax_rate", "quantity", "unit_price", "line_total"],
                None,
            )
        ),
    )
    totals.totals_block(pen, left=pen.left + pen.width * pen.rng.choice((0.1, 0.3, 0.5)))
    pen.paragraph(join(pen.word("amount_words"), ": ", amount_in_words(case.total, case.currency)))
    if pen.chance(0.6):
        totals.tax_table(pen, width=pen.width)
    small_print.bank_details(pen)
    pen.line(join("for ", parties.seller(pen)), align="right", bold=True)
    pen.line("Authorised Signatory", align="right")


@family(
    Brief(countries=("ES", "IT", "PT", "MX"), several_rates=0.35, withheld=0.3, gross_share=0.03, rows=(1, 9)),
    weight=1.3,
)
def factura_grid(pen: Pen) -> None:
    """The south: the customer's box at the right, a strip of data, a grid of base, rate, tax and total at the end."""
    x = pen.left + pen.width * 0.5
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, partial(parties.buyer_block, heading=True, extras=True))]
    )
    pen.skip(0.5)
    if pen.chance(0.6):
        meta.title(pen, pen.rng.choice((pen.left, x)))
    strip(pen, meta.fields(pen, extra=pen.rng.randint(1, 4), due=0.4))
    draw_table(pen)
    if pen.chance(0.5):
        pen.y = max(pen.y, pen.style.height * pen.rng.uniform(0.6, 0.75))
    if pen.chance(0.7):
        totals.tax_table(pen, width=pen.width * pen.rng.choice((0.6, 0.8, 1.0)))
        pen.skip(0.5)
    totals.totals_row(pen) if pen.chance(0.4) else totals.totals_block(pen)
    small_print.closing(pen)


@family(
    Brief(countries=("FR", "BE"), goods=("services",), rows=(1, 4), long_share=0, seller="practice", untaxed=1.0,
          credit_share=0.02),
    weight=0.9,
)  # fmt: skip
def micro_enterprise(pen: Pen) -> None:
    """A French sole trader: name, SIRET, no tax under article 293 B, a few lines of services."""
    case = pen.case
    if pen.chance(0.3):
        pen.line(pen.fresh("profession"), size=pen.size * 1.3)
    pen.line(join(parties.seller(pen), pen.rng.choice(("", " EI", " - Entrepreneur individuel"))), bold=pen.chance(0.5))
    pen.lines([*case.seller.address, join("SIRET : ", _other(fill("### ### ### #####", pen.rng)))])
    pen.lines([case.seller.mail, f"Tél. {case.seller.phone}"])
    x = pen.left + pen.width * 0.58
    parties.buyer_block(pen, x)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.6) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, extra=pen.rng.choice((0, 1, 2))))
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_block(pen)
    extras.exempt_note(pen)
    pen.paragraph("TVA non applicable, art. 293 B du CGI")
    small_print.payment(pen)
    small_print.bank_details(pen)


@family(Brief(countries=("SE", "NO", "DK"), credit_share=0, gross_share=0.05), weight=1.2)
def giro_slip(pen: Pen) -> None:
    """The north: data in strips, below a giro slip with a reference of digits, the amount split in crowns and cents."""
    x = pen.left + pen.width * 0.55
    parties.letterhead(pen, pen.left)
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 4), due=0.9)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.payment(pen)
    pen.room(130)
    pen.y = max(pen.y, pen.style.height - 190)
    case = pen.case
    pen.line(pen.rng.choice(("INBETALNING/GIRERING AVI", "GIRO", "Indbetalingskort", "KVITTERING")), bold=True)
    _captioned(
        pen, pen.rng.choice(("Betalningsmottagare", "Betalt til", "Beløpsmottaker")), parties.seller(pen), pen.left, 110
    )
    _captioned(pen, pen.rng.choice(("Avsändare", "Betalt av", "Betaler")), parties.buyer(pen), pen.left, 110)
    number: Rich = [(fill("############", pen.rng), Label.OTHER_NUMBER)]
    reference = meta.number(pen) if case.number.isdigit() and pen.chance(0.5) else number
    account = _other(fill("###-####", pen.rng))
    edges = [pen.left + pen.width * part for part in (0.0, 0.35, 0.6, 0.8)]
    for caption, edge in zip(("OCR / KID", "Bankgiro / Konto", "Kronor / Kroner", "Öre / Øre"), edges, strict=True):
        pen.canvas.line(caption, edge, pen.y, pen.size * 0.75)
    pen.skip(1)
    whole = pen.style.totals_money.plain(case.amount_due, 2)
    split = pen.chance(0.3)
    cells: list[Rich] = [join("# ", reference, " #"), account, [(whole, Label.AMOUNT_DUE)]]
    if split:
        cells[2:] = [join(str(int(case.amount_due))), join(f"{int(case.amount_due * 100) % 100:02}")]
    for cell, edge in zip(cells, edges, strict=False):
        pen.canvas.line(cell, edge, pen.y, pen.size)
    pen.skip(1)


@family(Brief(countries=("PL",), several_rates=0.35, gross_share=0.05, prepaid=0.2), weight=1.1)
def seller_left_buyer_right(pen: Pen) -> None:
    """Poland: place and dates on top, seller and buyer with tax numbers, net, rate and gross in the table, words."""
    case = pen.case
    top: list[Text] = [join(pen.tagged("issue_date"), " ", meta.issued(pen))]
    top.append(join(pen.tagged("other_date"), " ", pen.day(case.other_date, Label.OTHER_DATE)))
    top.insert(0, f"Miejsce wystawienia: {case.seller.place.split()[-1]}")
    for line in top:
        pen.line(line, align="right")
    pen.skip(0.5)
    meta.title_line(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.3)), with_date=False)
    pen.skip(1)
    parties.side_by_side(
        pen,
        [
            (pen.left, parties.seller_block),
            (pen.left + pen.width * 0.52, partial(parties.buyer_block, heading=True, extras=True)),
        ],
    )
    pen.skip(1)
    columns = [
        "pos",
        "description",
        "quantity",
        "unit",
        "unit_price",
        "line_total",
        "tax_rate",
        "tax_amount",
        "gross_total",
    ]
    draw_table(pen, columns if pen.chance(0.7) and not case.gross_prices else None)
    totals.any_totals(pen)
    pen.line(f"Słownie: {pen.fresh('services').lower()} {fill('##', pen.rng)}/100")
    due = pen.day(case.due, Label.DUE_DATE)
    pen.line(join(pen.tagged("due_date"), " ", due, "   ", pen.fresh("term_prose").format(days=case.days)))
    pen.lines(small_print.bank_lines(pen))
    pen.skip(2)
    pen.line(f"{case.seller.person}    {case.buyer.person}")


@family(Brief(countries=("CZ",), several_rates=0.35), weight=1.1)
def supplier_box(pen: Pen) -> None:
    """Czechia: supplier and customer boxes, symbols of the payment near the number, three dates, a recapitulation."""
    case = pen.case
    meta.title_line(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)), with_date=False)
    pen.skip(0.5)
    digits = "".join(char for char in case.number if char.isdigit())
    symbol: Rich = meta.number(pen) if digits == case.number else _other(digits.zfill(4))
    pairs = meta.fields(pen, with_number=False, due=0.8, extra=pen.rng.randint(0, 2))

    def supplier(pen: Pen, x: float) -> None:
        parties.seller_block(pen, x)
        pen.line(join("IČ: ", _other(fill("########", pen.rng)), "  DIČ: ", _other(case.seller.vat)), x)

    def data(pen: Pen, x: float) -> None:
        _captioned(pen, "Variabilní symbol:", symbol, x, 95)
        _captioned(pen, "Konstantní symbol:", _other(pen.rng.choice(("0308", "0008"))), x, 95)
        meta.meta_list(pen, pairs, x, pen.right - x)
        parties.buyer_block(pen, x, heading=True)

    parties.side_by_side(pen, [(pen.left, supplier), (pen.left + pen.width * 0.52, data)])
    pen.skip(1)
    draw_table(pen)
    if pen.chance(0.6):
        totals.tax_table(pen, width=pen.width * 0.6)
    totals.totals_block(pen)
    small_print.closing(pen)


@family(Brief(countries=("TR",), several_rates=0.2, gross_share=0.02, rows=(1, 9)), weight=1.2)
def e_archive(pen: Pen) -> None:
    """Turkey: the tax office's form with ETTN, scenario and type beside the number, the customer after `SAYIN`."""
    case, rng = pen.case, pen.rng

    def issuer(pen: Pen, x: float) -> None:
        pen.line(registered_name(pen) if pen.chance(0.15) else parties.seller(pen), x, bold=pen.chance(0.5))
        pen.lines([*case.seller.address, f"Tel: {case.seller.phone} Fax: {case.seller.fax}"], x)
        pen.line(join(f"Vergi Dairesi: {case.seller.place.split()[-1]}"), x)
        pen.line(join("VKN: ", _other(case.seller.vat)), x)

    def middle(pen: Pen, x: float) -> None:
        pen.line("Gelir İdaresi Başkanlığı" if pen.chance(0.5) else "T.C. MALİYE BAKANLIĞI", x, size=pen.size * 0.8)
        pen.line(rng.choice(("e-Arşiv Fatura", "e-FATURA", "e-Fatura")), x, bold=True)

    x = pen.left + pen.width * 0.58
    parties.side_by_side(pen, [(pen.left, issuer), (x, middle)])
    pen.skip(1)
    rows: list[tuple[str, Rich]] = [
        ("Özelleştirme No:", join("TR1.2")),
        ("Senaryo:", join(rng.choice(("EARSIVFATURA", "TICARIFATURA", "TEMELFATURA")))),
        ("Fatura Tipi:", join(rng.choice(("SATIS", "IADE", "TEVKIFAT")))),
        (f"{pen.fresh('invoice_number')}:", meta.number(pen)),
        (f"{pen.fresh('issue_date')}:", meta.issued(pen)),
    ]
    if pen.chance(0.4):
        rows.append(("İrsaliye No:", _other(case.numbers["delivery_number"])))
        rows.append(("İrsaliye Tarihi:", pen.day(case.other_date, Label.OTHER_DATE)))

    def data(pen: Pen, x: float) -> None:
        for caption, value in rows:
            _captioned(pen, caption, value, x, 80)

    parties.side_by_side(pen, [(pen.left, partial(parties.buyer_block, heading=True, extras=True)), (x, data)])
    pen.line(join("ETTN: ", _other(uuid_like(rng))))
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_block(pen, left=pen.left + pen.width * 0.5)
    pen.paragraph(f"Yalnız : {fill('####', rng)} {case.currency}")
    small_print.closing(pen)


@family(
    Brief(countries=("BR",), goods=("services",), rows=(1, 3), long_share=0, withheld=0.3, gross_share=0.5),
    weight=1.0,
    held_out=True,
)
def municipal_note(pen: Pen) -> None:
    """Brazil: the city's heading, then who provided and who took the service, its text, a grid of values."""
    case = pen.case
    city = case.seller.place.split()[-1]
    pen.line(f"PREFEITURA DO MUNICÍPIO DE {city.upper()}", pen.style.width / 2, align="center", bold=True)
    pen.line("SECRETARIA MUNICIPAL DE FINANÇAS", pen.style.width / 2, align="center")
    meta.title(pen, pen.style.width / 2, align="center")
    pairs = meta.fields(pen, due=0.1, extra=1)
    pairs.append(("signature", join(_other(fill("????-####", pen.rng)))))
    strip(pen, pairs)
    for key, party, name in (
        ("sold_by", case.seller, parties.seller(pen)),
        ("bill_to", case.buyer, parties.buyer(pen)),
    ):
        pen.line(pen.label(key).upper(), pen.style.width / 2, align="center", bold=True)
        pen.line(join("Nome/Razão Social: ", name))
        pen.line(
            join("CPF/CNPJ: ", _other(party.vat), "   Inscrição Municipal: ", _other(fill("#.###.###-#", pen.rng)))
        )
        pen.line(join("Endereço: ", ", ".join(party.address)))
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_row(pen)
    small_print.closing(pen)
