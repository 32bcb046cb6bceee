"""What a reader of line items can rely on, on small tables with columns drawn at their places."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from serve_app.domain.document import Box, Document, Page, TextSource, Word
from serve_app.domain.labels import OUTSIDE, TAGS
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.fields import read_fields
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.tables.line_items import Row, all_rows, drop_non_items, sum_of

# A cell is its left edge in hundredths of the page's width and its words, "text|LABEL" where the models see one.
Cell = tuple[int, str]
Lines = Sequence[Sequence[Cell]]
D, Q, U, T = "LINE_DESCRIPTION", "LINE_QUANTITY", "LINE_UNIT_PRICE", "LINE_TOTAL"
SURE = 0.9
# Of a word written "text|LABEL~OTHER" the models say with this probability that it has the other label.
UNSURE = 0.3


def rows_of(*pages: Lines, style: Style = Style.POINT, source: TextSource = TextSource.TEXT_LAYER) -> list[Row]:
    """The rows of pages on which the models are sure of every label that is written, and of nothing else."""
    return drop_non_items(all_rows(evidence_of(*pages, source=source), style))


def evidence_of(*pages: Lines, source: TextSource = TextSource.TEXT_LAYER) -> tuple[PageEvidence, ...]:
    return gather(*document_and_reading(*pages, source=source))


def document_and_reading(*pages: Lines, source: TextSource = TextSource.TEXT_LAYER) -> tuple[Document, Reading]:
    drawn = [_drawn(number, lines) for number, lines in enumerate(pages, start=1)]
    reading = Reading("test", TAGS, tuple(scores for _, scores in drawn))
    return Document(tuple(replace(page, source=source) for page, _ in drawn)), reading


def _drawn(number: int, lines: Lines) -> tuple[Page, PageReading]:
    words, tags = [], []
    for row, line in enumerate(lines):
        for left, written in line:
            x, before = left / 100, ""
            for text, _, label in (word.partition("|") for word in written.split()):
                words.append(Word(text, Box(x, 0.02 + 0.02 * row, x + 0.01 * len(text), 0.032 + 0.02 * row)))
                tags.append(f"{'I' if label == before else 'B'}-{label}" if label else OUTSIDE)
                x, before = x + 0.01 * len(text) + 0.005, label
    scores = np.zeros((len(words), len(TAGS)), dtype=np.float32)
    scores[:, TAGS.index(OUTSIDE)] = 1 - SURE
    for index, tag in enumerate(tags):
        first, *other = tag.split("~")
        scores[index, TAGS.index(first)] += SURE - UNSURE * len(other)
        for label in other:
            scores[index, TAGS.index(f"I-{label}")] += UNSURE
    return Page(number, 595.0, 842.0, tuple(words)), PageReading(scores)


def values(rows: Sequence[Row]) -> list[tuple[str | None, Decimal | None, Decimal | None]]:
    return [(row.description, row.numbers.quantity, row.numbers.unit_price) for row in rows]


def item(text: str, quantity: str, price: str, total: str) -> list[Cell]:
    return [(5, f"{text}|{D}"), (50, f"{quantity}|{Q}"), (65, f"{price}|{U}"), (85, f"{total}|{T}")]


@pytest.mark.parametrize(
    "captions",
    [
        ("Description", "Qty", "Unit price", "Amount"),
        ("Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"),
        ("Désignation", "Qté", "P.U. HT", "Montant HT"),
        ("Descripción", "Cantidad", "Precio", "Importe"),
        ("Descrizione", "Q.tà", "Prezzo", "Importo"),
        ("Omschrijving", "Aantal", "Prijs", "Bedrag"),
        ("Descrição", "Qtd.", "Preço unitário", "Valor total"),
        ("Açıklama", "MİKTAR", "Birim Fiyatı", "Tutar"),
        ("Nazwa towaru", "Ilość", "Cena netto", "Wartość netto"),
        ("Popis", "Množství", "Cena za MJ", "Celkem"),
    ],
)
def test_captions_show_columns_that_no_model_knows(captions: Sequence[str]) -> None:
    head = list(zip((5, 50, 65, 85), captions, strict=True))
    rows = rows_of([head, [(5, "Lamp"), (50, "3"), (65, "4.50"), (85, f"13.50|{T}")]])
    assert values(rows) == [("Lamp", Decimal(3), Decimal("4.50"))]


def test_a_second_column_of_sums_does_not_take_the_first_ones_caption() -> None:
    head = [(5, "Product"), (50, "Amount"), (65, "Price"), (85, "Total")]
    rows = rows_of([head, [(5, f"Lamp|{D}"), (50, "3"), (65, "4.50"), (85, f"13.50|{T}")]])
    assert values(rows) == [("Lamp", Decimal(3), Decimal("4.50"))]


def test_a_term_and_its_value_are_no_captions() -> None:
    terms = [[(5, "Description"), (50, f"Amount|{D} plan|{D}")], [(5, "Price"), (50, f"3.00|{T}")]]
    assert values(rows_of(terms)) == [("Amount plan", None, Decimal("3.00"))]


def test_a_table_of_taxes_holds_no_items() -> None:
    head = [(5, "Description"), (50, "Qty"), (65, "Price"), (85, "Total")]
    taxes = [(5, "VAT rate"), (50, "Tax base"), (85, "Tax amount")]
    rows = rows_of([head, item("Lamp", "3", "4.50", "13.50"), taxes, item("VAT", "20", "13.50", "2.70")])
    assert [row.description for row in rows] == ["Lamp"]


def test_a_table_goes_on_over_the_page_and_past_a_subtotal() -> None:
    head = [(5, "Description"), (50, "Qty"), (65, "Price"), (85, "Total")]
    carried = [(5, "Carried forward"), (85, f"13.50|{T}")]
    rows = rows_of([head, item("Lamp", "3", "4.50", "13.50"), carried], [carried, item("Desk", "1", "9.00", "9.00")])
    assert [row.description for row in rows] == ["Lamp", "Desk"]
    assert sum_of(rows) == Decimal("22.50")


def test_what_follows_the_totals_is_no_item() -> None:
    total = [(5, "Total"), (85, "13.50|TOTAL")]
    rows = rows_of([item("Lamp", "3", "4.50", "13.50"), total, [(5, f"Card|{D}"), (85, "13.50|AMOUNT_DUE")]])
    assert [row.description for row in rows] == ["Lamp"]


def test_a_row_may_print_its_numbers_on_several_lines() -> None:
    receipt = [
        [(5, f"3|{Q} Blue|{D} lamp|{D}")],
        [(8, "@"), (11, f"4.50|{U}"), (40, f"13.50|{T}")],
        [(5, f"1|{Q} Desk|{D}")],
        [(8, "@"), (11, f"9.00|{U}"), (40, f"9.00|{T}")],
    ]
    assert values(rows_of(receipt)) == [
        ("Blue lamp", Decimal(3), Decimal("4.50")),
        ("Desk", Decimal(1), Decimal("9.00")),
    ]


def test_terms_and_values_one_below_the_other_make_one_row() -> None:
    terms = [
        [(5, "Name"), (50, f"Lamp|{D}")],
        [(5, "Quantity"), (50, f"3|{Q}")],
        [(5, "Net price"), (50, f"4.50|{U}")],
        [(5, "Line amount"), (50, f"13.50|{T}")],
        [(5, "Name"), (50, f"Desk|{D}")],
        [(5, "Quantity"), (50, f"1|{Q}")],
        [(5, "Net price"), (50, f"9.00|{U}")],
        [(5, "Line amount"), (50, f"9.00|{T}")],
    ]
    assert values(rows_of(terms)) == [("Lamp", Decimal(3), Decimal("4.50")), ("Desk", Decimal(1), Decimal("9.00"))]


def test_gross_prices_and_discounts_between_complete_rows_are_no_rows() -> None:
    between = [[(5, f"Gross|{D}"), (65, f"5.00|{U}")], [(5, f"Rebate|{D}"), (85, f"-1.50|{T}")]]
    items = [item("Lamp", "3", "4.50", "13.50"), item("Desk", "1", "9.00", "9.00"), item("Chair", "2", "7.00", "14.00")]
    rows = rows_of([items[0], *between, *items[1:]])
    assert [row.description for row in rows] == ["Lamp", "Desk", "Chair"]


@pytest.mark.parametrize(("quantity", "price"), [("", "7.20"), (f"1|{Q}", "7.20"), (f"2|{Q}", None)])
def test_a_single_amount_is_a_price_where_it_is_that_of_one(quantity: str, price: str | None) -> None:
    (row,) = rows_of([[(5, f"Coffee|{D}"), (50, quantity), (85, f"7.20|{T}")]])
    assert row.numbers.unit_price == (Decimal(price) if price else None)


def test_a_number_with_spaces_between_its_thousands_is_one_number() -> None:
    (row,) = rows_of([[(5, f"Lamp|{D}"), (50, f"2|{Q}"), (65, f"1|{U} 050,00|{U}"), (85, f"2|{T} 100,00|{T}")]])
    assert (row.numbers.unit_price, row.numbers.total) == (Decimal("1050.00"), Decimal("2100.00"))


def test_a_quantity_may_have_its_unit_right_after_it() -> None:
    (row,) = rows_of([[(5, f"Oil|{D}"), (50, f"2.5Liter|{Q}"), (65, f"4.00|{U}"), (85, f"10.00|{T}")]])
    assert row.numbers.quantity == Decimal("2.5")
    assert row.numbers.multiplies


def test_prices_over_totals_do_not_lend_each_other_their_labels() -> None:
    receipt = [
        line
        for text, price, total in (("Lamp", "4.50", "9.00"), ("Desk", "8.00", "16.00"), ("Chair", "7.00", "14.00"))
        for line in ([(5, f"{text}|{D}")], [(5, f"2|{Q}"), (40, f"{price}|{U}")], [(40, f"{total}|{T}")])
    ]
    assert [row.numbers.unit_price for row in rows_of(receipt)] == [Decimal("4.50"), Decimal("8.00"), Decimal("7.00")]


def test_most_rows_show_the_columns_of_a_row_that_multiplies_either_way() -> None:
    rows = rows_of(
        [
            item("Lamp", "3", "4.50", "13.50"),
            [(5, f"Desk|{D}"), (50, f"12|{U}~{Q}"), (65, f"14|{Q}~{U}"), (85, f"168.00|{T}")],
            item("Chair", "2", "7.00", "14.00"),
        ]
    )
    assert values(rows)[1] == ("Desk", Decimal(12), Decimal(14))


def test_a_number_that_no_model_knows_is_what_the_others_in_its_column_are() -> None:
    # Its quantity times its price is not quite its total, so that only the column tells.
    unknown: list[Cell] = [(5, f"Desk|{D}"), (50, "20"), (65, f"2.77|{U}"), (85, f"55.46|{T}")]
    rows = rows_of([item("Lamp", "3", "4.50", "13.50"), item("Chair", "2", "7.00", "14.00"), unknown])
    assert values(rows)[2] == ("Desk", Decimal(20), Decimal("2.77"))


def test_the_price_after_a_discount_is_the_one_that_makes_the_totals() -> None:
    def discounted(text: str, quantity: int, full: str, net: str, total: str) -> list[Cell]:
        return [
            (5, f"{text}|{D}"),
            (50, f"{quantity}|{Q}"),
            (60, f"{full}|{U}"),
            (72, f"{net}|{T}~{U}"),
            (85, f"{total}|{T}"),
        ]

    rows = rows_of(
        [
            [(5, "Item"), (50, "Qty"), (60, "List price"), (72, "Price"), (85, "Total")],
            discounted("Lamp", 9, "0.40", "0.37", "3.33"),
            discounted("Desk", 7, "17.55", "15.67", "109.69"),
            discounted("Chair", 4, "1.54", "1.40", "5.60"),
        ]
    )
    assert [row.numbers.unit_price for row in rows] == [Decimal("0.37"), Decimal("15.67"), Decimal("1.40")]


def test_a_quantity_with_three_decimals_is_distinguished_from_thousands_by_the_price() -> None:
    rows = rows_of(
        [item("Steak", "5.000", "5,50", "27,50"), item("Bolts", "2.000", "0,10", "200,00")], style=Style.COMMA
    )
    assert [row.numbers.quantity for row in rows] == [Decimal(5), Decimal(2000)]


def test_a_quantity_and_the_code_beside_it_are_two_numbers() -> None:
    (row,) = rows_of([[(5, f"1|{Q} 134.636|{Q}"), (20, f"Lamp|{D}"), (85, f"9,00|{T}")]], style=Style.COMMA)
    assert row.numbers.quantity != Decimal("1134.636")


@pytest.mark.parametrize(("printed", "quantity"), [("10m2", "10"), ("2.5m³", "2.5"), ("−4C62", "-4"), ("6pcs.", "6")])
def test_a_unit_right_after_a_quantity_may_have_digits(printed: str, quantity: str) -> None:
    (row,) = rows_of([[(5, f"Oil|{D}"), (50, f"{printed}|{Q}"), (65, f"4.00|{U}")]])
    assert row.numbers.quantity == Decimal(quantity)


def test_a_total_may_stand_beside_the_second_line_of_the_text() -> None:
    first, second = [(5, f"Taxi|{D}"), (50, f"6|{Q}"), (65, f"2.00|{U}")], [(5, f"Kilometres|{D}"), (85, f"12.00|{T}")]
    # The models take the second line for the beginning of a description of its own.
    (row,) = rows_of([first, second])
    assert (row.description, row.numbers.total) == ("Taxi Kilometres", Decimal("12.00"))


def test_a_number_amid_words_is_part_of_the_text_whatever_caption_is_over_it() -> None:
    head = [(5, "Qty"), (10, "Description"), (22, "Price"), (85, "Total")]
    (row,) = rows_of([head, [(5, f"2|{Q}"), (10, f"Lamp set|{D} of"), (20, "3 red"), (30, ""), (85, f"4.72|{T}")]])
    assert row.numbers.unit_price != Decimal(3)


def test_a_digit_lost_by_ocr_is_found_by_price_and_total() -> None:
    lines = [item("Lamp", "3", "4.50", "13.50"), [(5, f"Desk|{D}"), (65, f"9.00|{U}"), (85, f"9.00|{T}")]]
    scanned, printed = rows_of(lines, source=TextSource.OCR)[1], rows_of(lines)[1]
    assert scanned.numbers.quantity == 1
    assert scanned.numbers.multiplies is None, "what was concluded proves nothing"
    assert printed.numbers.quantity is None, "nothing is lost from a text layer"


@pytest.mark.parametrize("caption", ["After discount", "Line total", "Après remise", "Nach Rabatt", "Po slevě"])
def test_what_is_left_after_a_discount_is_no_row(caption: str) -> None:
    rows = rows_of(
        [item("Lamp", "3", "4.50", "13.50"), [(5, "Discount"), (85, "-1.50")], [(5, caption), (85, f"12.00|{T}")]]
    )
    assert [row.description for row in rows] == ["Lamp"]


def test_zeros_without_a_description_are_no_row() -> None:
    zeros = [(50, f"0|{Q}"), (65, f"0.00|{U}"), (85, f"0.00|{T}")]
    assert [row.description for row in rows_of([zeros, item("Lamp", "3", "4.50", "13.50")])] == ["Lamp"]


def test_the_lines_that_a_form_keeps_free_are_no_rows() -> None:
    free = [(65, f"0.00|{U}"), (85, f"0.00|{T}")]
    sum_line = [(5, "Total"), (85, "13.50|TOTAL")]
    rows = read_fields(evidence_of([item("Lamp", "3", "4.50", "13.50"), free, free, sum_line])).rows
    assert [row.description for row in rows] == ["Lamp"]


def test_what_is_taken_off_each_piece_is_no_row_between_rows_with_totals() -> None:
    allowance = [(5, f"Artikelrabatt|{D} 1:|{D} 2,00%|{D}"), (50, f"-3.00|{Q}"), (65, f"0.03|{U}")]
    items = [item("Lamp", "3", "4.50", "13.50"), item("Desk", "1", "9.00", "9.00")]
    assert [row.description for row in rows_of([items[0], allowance, items[1]])] == ["Lamp", "Desk"]


def test_no_rows_sum_to_nothing() -> None:
    assert sum_of([]) is None


def test_a_number_in_a_description_is_none_of_the_row() -> None:
    head = [(5, "Qty"), (15, "Item"), (65, "Rate"), (85, "Amount")]
    row = [(5, f"24|{Q}"), (15, "KR-2075"), (65, f"8.95|{U}"), (85, f"214.80|{T}")]
    text = [(15, f"Bolt|{D} zinc, x 2|{Q} box 100|{T}")]
    assert values(rows_of([head, row, text])) == [("Bolt zinc, x 2 box 100", Decimal(24), Decimal("8.95"))]


@pytest.mark.parametrize("is_above", [True, False])
def test_a_line_of_quantity_and_price_belongs_to_the_row_whose_total_they_make(is_above: bool) -> None:
    eggs, beans = [(5, f"Eggs|{D}"), (50, f"5.49|{T}")], [(5, f"Beans|{D}"), (50, f"3.00|{T}")]
    factors = [(7, f"2|{Q} @ 1.50|{U}")]
    lines = [eggs, factors, beans] if is_above else [eggs, beans, factors]
    assert values(rows_of(lines)) == [("Eggs", None, Decimal("5.49")), ("Beans", Decimal(2), Decimal("1.50"))]


def test_the_sum_of_all_rows_is_no_row() -> None:
    lines = [
        [(5, f"{name}|{D}"), (50, f"{total}|{T}")]
        for name, total in (("Ale", "3.10"), ("Pie", "9.90"), ("Food", "13.00"))
    ]
    assert [row.description for row in rows_of(lines)] == ["Ale", "Pie"]


def test_a_discount_is_a_row_if_the_sum_needs_it() -> None:
    lines = [
        [(5, f"Wash|{D}"), (30, f"2|{Q}"), (40, f"5.00|{U}"), (60, f"10.00|{T}")],
        [(5, f"Wax|{D}"), (30, f"1|{Q}"), (40, f"12.00|{U}"), (60, f"12.00|{T}")],
        [(5, f"Regulars|{D}"), (60, f"-2.20|{T}")],
        [(5, "Total"), (60, "19.80|TOTAL")],
    ]
    assert [row.description for row in read_fields(evidence_of(lines)).rows] == ["Wash", "Wax", "Regulars"]


def test_a_line_below_an_item_may_show_how_many() -> None:
    lines = [
        [(5, f"Team|{D} (per|{D} editor)|{D}"), (85, f"168.00|{T}")], [(5, "Qty 14")],
        [(5, f"Minutes|{D} over|{D} allowance|{D}"), (85, f"36.00|{T}")], [(5, "Qty: 4,500")],
        [(5, f"Support|{D} plan|{D}"), (85, f"12.00|{T}")],
    ]  # fmt: skip
    assert values(rows_of(lines)) == [
        ("Team (per editor)", Decimal(14), None),
        ("Minutes over allowance", Decimal(4500), None),
        ("Support plan", None, Decimal("12.00")),
    ]


def test_a_number_of_times_behind_a_name_shows_how_many() -> None:
    lines = [
        [(5, f"Cup|{D}"), (85, f"596.00|{T}")], [(5, f"grey|{D} × 4")],
        [(5, f"Screws|{D} M8|{D} ×|{D} 30|{D}"), (85, f"12.00|{T}")],
    ]  # fmt: skip
    assert values(rows_of(lines)) == [
        ("Cup grey", Decimal(4), None),
        ("Screws M8 × 30", None, Decimal("12.00")),
    ]


def test_a_price_in_pence_is_one_in_pounds() -> None:
    rows = rows_of([item("Day units", "842", "27.35p", "230.29"), item("Standing charge", "92", "58.14p", "53.49")])
    assert [row.numbers.unit_price for row in rows] == [Decimal("0.2735"), Decimal("0.5814")]


def test_taxes_below_an_item_are_no_items() -> None:
    tax = [(5, f"Traslado|{D} 002|{D} IVA|{D} Base|{D}"), (50, f"1038.00|{Q}"), (65, f"0.16|{U}"), (85, f"166.08|{T}")]
    rows = rows_of([item("Paleta", "12", "86.50", "1038.00"), tax, item("Bolsa", "2", "4.00", "8.00")])
    assert [row.description for row in rows] == ["Paleta", "Bolsa"]
