"""Captions name the value next to or below them, in many languages."""

import pytest

from serve_app.domain.document import Box, Page, Word
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.captions import Caption, Captions, PageCaptions
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.captions.lexicon import tokens
from tests.extraction.pages import document_of


def captions_of(value: str, *lines: str) -> Captions:
    """The captions of the word `value` on a page of lines."""
    page = document_of(lines).pages[0]
    found = PageCaptions(page, group_lines([word.box for word in page.words]))
    return found.of((next(index for index, word in enumerate(page.words) if word.text.endswith(value)),))


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("Invoice No. 4711", Caption.INVOICE_NUMBER),
        ("Rechnungs-Nr.: 4711", Caption.INVOICE_NUMBER),
        ("N° de facture 4711", Caption.INVOICE_NUMBER),
        ("Faktura č. 4711", Caption.INVOICE_NUMBER),
        ("Müşteri No: 4711", Caption.OTHER_NUMBER),
        ("Kundennummer 4711", Caption.OTHER_NUMBER),
        ("Nr zamówienia 4711", Caption.OTHER_NUMBER),
        ("P.O. Number: 4711", Caption.OTHER_NUMBER),
        ("Partita IVA 4711", Caption.OTHER_NUMBER),
        ("Receipt #4711", Caption.RECEIPT_NUMBER),
        ("Total TTC 4711", Caption.TOTAL),
        ("Te betalen 4711", Caption.AMOUNT_DUE),
        ("Imponibile 4711", Caption.SUBTOTAL),
        ("zzgl. MwSt. 4711", Caption.TAX),
        ("Fällig am 4711", Caption.DUE_DATE),
        ("Data wystawienia: 4711", Caption.ISSUE_DATE),
        ("Förfallodag 4711", Caption.DUE_DATE),
        ("Å betale 4711", Caption.AMOUNT_DUE),
        ("I alt inkl. moms 4711", Caption.TOTAL),
        ("Asiakasnumero 4711", Caption.OTHER_NUMBER),
        ("Ukupno bez PDV 4711", Caption.SUBTOTAL),
        ("Fizetendő összesen 4711", Caption.AMOUNT_DUE),
        ("Data scadenței 4711", Caption.DUE_DATE),
        ("Številka računa 4711", Caption.INVOICE_NUMBER),
        ("Variabilný symbol 4711", Caption.OTHER_NUMBER),
    ],
)
def test_knows_captions_of_many_languages(line: str, caption: Caption) -> None:
    assert captions_of("4711", line).before[0] is caption


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("Handelsrechnung (380) Nr. 4711", Caption.INVOICE_NUMBER),
        ("Invoice original No. 4711", Caption.INVOICE_NUMBER),
        ("Kunde Nr. 4711", Caption.OTHER_NUMBER),
        ("Akme No. 4711", Caption.NUMBER),
    ],
)
def test_what_stands_before_no_shows_which_number_it_is(line: str, caption: Caption) -> None:
    assert captions_of("4711", line).before[0] is caption


def test_the_longest_caption_wins() -> None:
    assert captions_of("4711", "Total amount due 4711").before[0] is Caption.AMOUNT_DUE


def test_the_nearest_caption_of_a_line_counts() -> None:
    assert captions_of("4711", "Invoice No. 17 Customer No. 4711").before[0] is Caption.OTHER_NUMBER


def test_numbers_between_caption_and_value_are_counted() -> None:
    assert captions_of("3.19", "MwSt 19% 16.81 3.19").skipped == 2


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("Gesamtsumme (inkl. 18,04 € MwSt. 19 %) 4711", [Caption.TOTAL]),
        ("Total (VAT 18.04 included) 4711", [Caption.TOTAL]),
        ("Gesamt 113,00 € (davon MwSt. 4711 )", [Caption.TAX]),
        ("Gesamtsumme (inkl. 4711 € MwSt. 19 %) 113,00 €", [Caption.TAX]),
        ("Semnătura (conf. art. 4711 factura)", []),
        ("Total (in USD: 4711 )", [Caption.TOTAL]),
        ("(MwSt. 20 %) 4711", [Caption.TAX]),
        ("Total (VAT 18.04 included 4711", [Caption.TAX]),
    ],
)
def test_what_a_bracket_says_is_an_aside(line: str, before: list[Caption]) -> None:
    assert list(captions_of("4711", line).before) == before


def test_a_caption_glued_to_its_value_is_found() -> None:
    assert captions_of("32507885", "Transaction:32507885").before[0] is Caption.RECEIPT_NUMBER


def test_a_caption_whose_words_ran_together_is_found() -> None:
    assert captions_of("4711", "InvoiceNumber: 4711").before[0] is Caption.INVOICE_NUMBER


def test_a_caption_over_its_value_is_found() -> None:
    found = captions_of("4711", "Rechnungsnummer Kundennummer", "4711 815")
    assert (found.before, found.above) == ((), (Caption.INVOICE_NUMBER,))


def test_heads_in_the_middle_of_cells_are_captions_of_values_at_their_sides() -> None:
    line, below = "~ 작성일자 ~ ~ 공급가액 ~ ~ 세액 ~ 비고", "2025/08/31 ~ ~ 1,840 ~ ~ 184 ~ ~ ~ 77"
    assert Caption.ISSUE_DATE in captions_of("2025/08/31", line, below).above
    assert Caption.SUBTOTAL in captions_of("1,840", line, below).above
    assert Caption.TAX in captions_of("184", line, below).above
    assert captions_of("77", line, below).above == ()


def test_what_stands_over_the_caption_is_not_looked_at() -> None:
    assert captions_of("4711", "Rechnungsnummer", "Muster", "4711").above == ()


def test_a_value_on_two_lines_has_the_captions_of_its_first() -> None:
    page = document_of(["Fällig am 12.", "Rechnungsnummer Kundennummer Mai 2026"]).pages[0]
    found = PageCaptions(page, group_lines([word.box for word in page.words]))
    assert found.of((2, 5, 6)).before == (Caption.DUE_DATE,)


def test_words_far_apart_make_no_caption() -> None:
    words = (
        Word("Invoice", Box(0.1, 0.1, 0.2, 0.11)),
        Word("No.", Box(0.7, 0.1, 0.75, 0.11)),
        Word("4711", Box(0.8, 0.1, 0.85, 0.11)),
    )
    assert PageCaptions(Page(1, 595, 842, words), [[0, 1, 2]]).of((2,)).before[0] is Caption.NUMBER


def test_a_caption_of_two_meanings_has_both() -> None:
    assert {Caption.TAX, Caption.OTHER_NUMBER} <= set(captions_of("4711", "VAT 4711").before)


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("Rechnungssumme ohne USt. 177.49", Caption.SUBTOTAL),
        ("Order total (excl. VAT) 9.00", Caption.SUBTOTAL),
        ("Grid fee (excl. VAT) 9.00", Caption.SUBTOTAL),
        ("Nettleie ekskl. 25 % mva 9.00", Caption.SUBTOTAL),
        ("Débours (huissier, non soumis à TVA) 9.00", Caption.SUBTOTAL),
        ("Rechnungsbetrag inkl. 19 % MwSt 119.00", Caption.TOTAL),
        ("Invoice total including 21% VAT 119.00", Caption.TOTAL),
    ],
)
def test_a_sum_with_or_without_tax_is_no_tax(line: str, caption: Caption) -> None:
    (found,) = find_captions([*document_of([line]).pages[0].words])
    assert found.meanings == (caption,)


def test_a_tax_after_a_sum_is_a_tax() -> None:
    found = find_captions([*document_of(["Total 119.00 incl. VAT 19.00"]).pages[0].words])
    assert [caption.meanings[0] for caption in found] == [Caption.TOTAL, Caption.TAX]


@pytest.mark.parametrize(
    "line", ["Lodi, den 4.11.2024", "Lyon, le 4 mars 2024", "Milano, lì 4/3/2024", "Lodi, 4.3.2024"]
)
def test_the_date_of_a_letter_is_that_of_issue(line: str) -> None:
    (found,) = find_captions([*document_of([line]).pages[0].words])
    assert found.meanings == (Caption.ISSUE_DATE,)


@pytest.mark.parametrize("line", ["Lodi, 4711 Street", "Akme, a 4711", "due, 4.3.2024"])
def test_a_comma_alone_makes_no_letter(line: str) -> None:
    found = find_captions([*document_of([line]).pages[0].words])
    assert all(Caption.ISSUE_DATE not in caption.meanings for caption in found)


def test_letters_inside_a_number_are_no_caption() -> None:
    found = captions_of("4711/00/M/00/N", "Mietrechnung (387) Nr. 4711/00/M/00/N")
    assert found.before == (Caption.INVOICE_NUMBER,)


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("बिल संख्या 4711", Caption.INVOICE_NUMBER),
        ("કુલ રકમ 4711", Caption.TOTAL),
        ("ใบกำกับภาษีเลขที่INV 4711", Caption.INVOICE_NUMBER),
        ("合計NT$ 4711", Caption.TOTAL),
        ("小 計 4711", Caption.SUBTOTAL),
        ("합계금액₩ 4711", Caption.TOTAL),
        ("លេខវិក្កយបត្រ 4711", Caption.INVOICE_NUMBER),
    ],
)
def test_knows_captions_of_scripts_with_marks_or_without_blanks(line: str, caption: Caption) -> None:
    assert captions_of("4711", line).before[0] is caption


def test_a_vowel_is_a_part_of_its_word() -> None:
    assert tokens("कर") != tokens("करें")
    assert tokens("संख्या") == (tokens("संख्या")[0],)


@pytest.mark.parametrize(
    "written", ["الإجمالي", "الاجمالى", "الإجمالـــي", "اإلجمالي"], ids=["plain", "Egyptian", "stretched", "ligature"]
)
def test_spellings_of_one_arabic_word_are_alike(written: str) -> None:
    assert tokens(written) == tokens("الاجمالی")
