"""The currency of a document: named by marks, by a sentence, or by the country that the page comes from."""

from dataclasses import replace

import pytest

from serve_app.domain.document import TextSource
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.currency.called import called_currency
from serve_app.extraction.currency.countries import home_currencies, plain_currency
from serve_app.extraction.currency.currencies import currency_named_in, is_only_a_word, uses_three_decimals
from serve_app.extraction.currency.money_unit import currencies
from serve_app.extraction.evidence import gather
from serve_app.extraction.fields import read_fields
from tests.extraction.pages import document_of, reading_of


def best(*lines: str) -> str | None:
    """The likeliest currency of a page."""
    found = currencies(gather(document_of(lines), reading_of(lines)))
    return found[0].value if found else None


def test_the_legal_form_of_a_company_is_no_currency() -> None:
    assert best("TOKYO KITCHEN SDN BHD", "Jalan Bukit, 50200 Kuala Lumpur", "TOTAL 12.50|TOTAL") == "MYR"
    assert not uses_three_decimals(["LEAF", "SDN.", "BHD", "12.500"])


def test_letters_that_stand_before_their_number_are_no_currency_behind_it() -> None:
    # OCR reads the "SR" of a Malaysian till as "3R".
    assert best("GST Summary Amount (MYR)", "165.00 3R|LINE_TOTAL", "8.34 8R|LINE_TOTAL") == "MYR"
    assert best("Total R150|TOTAL") == "ZAR"


@pytest.mark.parametrize(("source", "code"), [(TextSource.OCR, "TRY"), (TextSource.TEXT_LAYER, "EUR")])
def test_ocr_takes_signs_of_the_lira_for_others(source: TextSource, code: str) -> None:
    lines = ("Vergi Dairesi: Kadıköy", "KDV ₺240,00|TAX", "Ara toplam €1.200,00|SUBTOTAL", "Toplam €1.440,00|TOTAL")
    printed = document_of(lines)
    document = replace(printed, pages=(replace(printed.pages[0], source=source),))
    assert currencies(gather(document, reading_of(lines)))[0].value == code


def test_the_same_letters_beside_an_amount_are_a_currency() -> None:
    assert best("Manama Trading", "Total BHD|CURRENCY 12.500|TOTAL") == "BHD"
    assert uses_three_decimals(["TOTAL", "BHD", "12.500"])


@pytest.mark.parametrize(
    ("texts", "index", "expected"),
    [
        (["PLEASE", "TRY", "AGAIN"], 1, True),
        (["TOTAL", "TRY", "1.250,00"], 1, False),
        (["SDN.", "BHD", "47301"], 1, True),
        (["6.58", "FT"], 1, True),
        (["12 700,00", "Ft"], 1, False),
        (["4990", "FT"], 1, False),
        (["R", "12.50"], 0, False),
        (["TOTAL", "EUR"], 1, False),
        (["most", "nad", "rzeką"], 1, True),
        (["12,50", "eur"], 1, False),
    ],
)
def test_a_code_that_is_a_word_needs_a_number_beside_it(texts: list[str], index: int, expected: bool) -> None:
    assert is_only_a_word(texts, index) is expected


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("All prices are in US dollars.", "USD"),
        ("Amounts shown in CAD", "CAD"),
        ("Currency: EUR", "EUR"),
        ("Rechnungswährung : GBP", "GBP"),
        ("Qty Price(RM) Amount (RM)", "MYR"),
        ("Total [EUR]", "EUR"),
        ("Amount (USD) Amount (EUR)", None),
        ("Amount ($)", None),
        ("Prix (€)", "EUR"),
        ("Tax (R)", None),
        ("Length (FT)", None),
        ("The total includes 10% GST", None),
        ("We accept US dollars", None),
    ],
)
def test_a_sentence_names_the_currency(line: str, code: str | None) -> None:
    assert currency_named_in(line) == code


def test_a_code_with_the_sign_of_a_dollar_is_the_codes() -> None:
    assert best("Acme s.r.o.", "Praha +420 766 223 028", "Total 12|TOTAL 320,00|TOTAL USD$|CURRENCY") == "USD"


def test_the_place_of_a_heading_is_the_words_that_name_the_currency() -> None:
    lines = ("KEDAI BAKO", "~;, Qty Price Amount (RM) Tax")
    (found,) = currencies(gather(document_of(lines), reading_of(lines)))
    assert (found.value, found.place.words) == ("MYR", (5, 6))


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("KEDAI BAKO SDN BHD", "GST 6 % 1.20"), "MYR"),
        (("Sydney, Australia", "GST 10 %"), "AUD"),
        # A street or a tax alone is not a country's own.
        (("12 Jalan Besar", "GST 7 %"), None),
        (("KEDAI BAKO SDN BHD",), None),
        # A buyer abroad.
        (("Sydney, Australia", "GST 10 %", "Bill to: Jane Roe, Auckland, New Zealand"), None),
        # Other countries have the same legal forms and names of taxes.
        (("SC EXEMPLU SRL", "TVA 19 %"), None),
        (("Muster GmbH", "MwSt. 8,1 %"), None),
        (("Muster GmbH, 10115 Berlin, Deutschland", "MwSt. 19 %"), "EUR"),
        (("Hong Kong +852 1234 5678",), None),
        (("215/7 Nguyễn Xí, TP. HCM", "Tiền thuế GTGT: 2.332.800"), "VND"),
    ],
)
def test_a_country_is_plain_by_its_tax_and_its_places(lines: tuple[str, ...], code: str | None) -> None:
    assert plain_currency(lines) == code


def test_a_sentence_decides_what_the_dollar_sign_means() -> None:
    lines = ("Envato Pty Ltd ABN 11 119 159 741", "Melbourne, Australia", "Total $101.00|TOTAL")
    assert best(*lines) == "AUD"
    assert best(*lines, "All prices are in US dollars.") == "USD"


def test_a_country_alone_leaves_a_doubt_of_what_the_dollar_sign_means() -> None:
    lines = ("Envato Pty Ltd ABN 11 119 159 741", "Melbourne, Australia", "Total $|CURRENCY 101.00|TOTAL")
    pages = gather(document_of(lines), reading_of(lines))
    found = {candidate.value: candidate.score for candidate in currencies(pages)}
    assert found["AUD"] > 2 * found["USD"] > 0
    certain = ("Total USD|CURRENCY 101.00|TOTAL",)
    (only,) = currencies(gather(document_of(certain), reading_of(certain)))
    assert (only.value, only.score > found["AUD"]) == ("USD", True)


def test_the_rate_of_a_tax_that_several_countries_have_shows_which_dollar_it_is() -> None:
    assert best("GST 15% 15.00|TAX", "Total $ 115.00|TOTAL") == "NZD"
    assert best("GST (10.0%) 10.00|TAX", "Total $ 110.00|TOTAL") == "AUD"
    assert best("9% GST 9.00|TAX", "Total $ 109.00|TOTAL") == "SGD"
    assert best("GST 5% 5.00|TAX", "Total $ 105.00|TOTAL") == "USD"


def test_a_telephone_number_of_north_america_belongs_to_the_country_with_other_signs() -> None:
    assert home_currencies(["(514) 861-1255"]).most_common(1) == [("USD", 1)]
    assert home_currencies(["Montréal (514) 861-1255", "T.P.S. 0.90"])["CAD"] == 3


def test_the_country_never_outweighs_a_mark_that_a_model_sees() -> None:
    assert best("Kuala Lumpur, Malaysia +60 3 123", "Jalan Raja", "Total $|CURRENCY 20.00|TOTAL") == "USD"


def test_what_stands_beside_the_total_counts_most() -> None:
    lines = ["Total USD 8,762.75|TOTAL", "73 056,80 SEK|CURRENCY", "18 264,20 SEK|CURRENCY", "91 321,00 SEK|CURRENCY"]
    pages = gather(document_of(lines), reading_of(lines))
    assert currencies(pages)[0].value == "SEK"
    assert currencies(pages, Place(0, (2,)))[0].value == "USD"


DUAL = (
    "Нето 80,00|SUBTOTAL лв.|CURRENCY / 40,90|SUBTOTAL €|CURRENCY",
    "ДДС 20% 16,00|TAX лв.|CURRENCY / 8,18|TAX €|CURRENCY",
    "Общо 96,00|TOTAL лв.|CURRENCY / 49,08 €|CURRENCY",
    "€|CURRENCY €|CURRENCY",
)


@pytest.mark.parametrize(("word", "code"), [(14, "BGN"), (17, "EUR")])
def test_of_two_currencies_side_by_side_the_total_is_called_in_one(word: int, code: str) -> None:
    pages = gather(document_of(DUAL), reading_of(DUAL))
    assert pages[0].text((word,)) in ("96,00", "49,08")
    assert currencies(pages, Place(0, (word,)))[0].value == code


@pytest.mark.parametrize(
    ("line", "word", "code"),
    [
        ("Total EUR 100.00 USD 50.00", 2, "EUR"),
        ("Total EUR 100.00 USD 50.00", 4, "USD"),
        ("Celkem 100,00 Kč 4,10 €", 1, "CZK"),
        ("Celkem 100,00 Kč 4,10 €", 3, "EUR"),
        ("Total R100.00", 1, "ZAR"),
        # The code of a tax.
        ("Total 100.00 N", 1, None),
        ("Total $100.00", 1, None),
    ],
)
def test_an_amount_is_called_in_the_currency_beside_it(line: str, word: int, code: str | None) -> None:
    (page,) = gather(document_of([line]), reading_of([line]))
    called = called_currency(page, (word,), [each.text for each in page.page.words])
    assert (called[0] if called else None) == code


@pytest.mark.parametrize(("total", "code"), [("6573.36", "BGN"), ("3360.91", "EUR"), ("6500.00", "EUR")])
def test_a_printed_rate_says_what_money_the_total_is_in(total: str, code: str) -> None:
    lines = [f"Total {total}|TOTAL", "Equivalent 6573.36", "Equivalent 3360.91 EUR", "Rate: 1 EUR = 1.95583 BGN"]
    fields = read_fields(gather(document_of(lines), reading_of(lines)))
    assert fields.currency is not None
    assert fields.currency.value == code


def test_what_the_page_says_of_its_dollars_outweighs_its_country() -> None:
    lines = ("Coolibah Pty Ltd ABN 51 824 753 556", "Geelong VIC 3220", "Item $|CURRENCY 10.00|LINE_TOTAL")
    many = [*lines, *["Item $|CURRENCY 10.00|LINE_TOTAL"] * 12]
    assert best(*many) == "AUD"
    assert best(*many, "All amounts are in US dollars.") == "USD"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Port of Spain, Trinidad", "VAT 12.5%"), "TTD"),
        (("Bridgetown, Barbados", "VAT 17.5%"), "BBD"),
        (("Suva, Fiji", "VAT 15%"), "FJD"),
        (("Windhoek, Namibia", "VAT 15%"), "NAD"),
        (("Taipei, Taiwan", "VAT 5%"), "TWD"),
        (("Temuco", "RUT 76.123.456-0", "IVA 19%"), "CLP"),
    ],
)
def test_a_dollar_is_that_of_the_country_whose_tax_and_place_the_page_names(lines: tuple[str, ...], code: str) -> None:
    assert best(*lines, "Total $|CURRENCY 120.00|TOTAL") == code
    assert plain_currency(lines) == code


def test_a_sign_of_several_countries_beside_the_total_decides_nothing() -> None:
    lines = ["Total $ 12.50|TOTAL", "Prices in CAD|CURRENCY"]
    pages = gather(document_of(lines), reading_of(lines))
    assert currencies(pages, Place(0, (2,)))[0].value == "CAD"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Nairobi", "Total Kshs. 120.00|TOTAL"), "KES"),
        (("NIT 900.417.203-9", "Bogotá", "$ 1.850.000|TOTAL"), "COP"),
        (("Buenos Aires", "CUIT 30-7", "$ 12.50|TOTAL"), "ARS"),
        (("Casablanca", "Total TTC 324,60 DH|TOTAL"), "MAD"),
        (("Dubai", "Total 324.60 DH|TOTAL"), "AED"),
    ],
)
def test_money_of_more_countries(lines: tuple[str, ...], code: str) -> None:
    assert best(*lines) == code


@pytest.mark.parametrize(
    ("lines", "code", "is_sure"),
    [
        # Hints of another country, and none of them is more than one.
        (("Davao City Philippines Brgy. Buhangin", "Akme Services Inc (082) 241-0774"), "PHP", True),
        (("Akme Pte Ltd Singapore", "Akme Sdn Bhd Malaysia"), "MYR", False),
    ],
)
def test_hints_of_another_country_leave_a_currency_likely(lines: tuple[str, ...], code: str, is_sure: bool) -> None:
    found = currencies(gather(document_of(lines), reading_of(lines)))
    assert [each.value for each in found if each.score >= 0.5] == ([code] if is_sure else [])


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Total", "KD", "12.500", "Kuwait"], True),
        (["Total", "DT", "12,500", "dinars"], True),
        (["DT", "12-Oct-2023", "12.500"], False),
        (["OMR", "12.500"], True),
    ],
)
def test_two_letters_are_dinars_where_other_words_say_so(texts: list[str], expected: bool) -> None:
    assert uses_three_decimals(texts) is expected


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Liberty Market, LAHORE", "NTN: 4417290-6", "Total Rs. 1,180.00|TOTAL"), "PKR"),
        (("Pune, India", "GSTIN 27AAB", "Total Rs. 1,180.00|TOTAL"), "INR"),
        (("Rue 10, Dakar", "TVA 18 %", "Total TTC 336 300|TOTAL FCFA|CURRENCY"), "XOF"),
        (("Douala", "Total TTC 336 300|TOTAL FCFA|CURRENCY"), "XAF"),
        (("DAR ES SALAAM", "VRN 40-018822-K", "Total 354,000.00|TOTAL"), "TZS"),
        (("Mandeville, Jamaica", "GCT (15%)", "Total $8,255.50|TOTAL"), "JMD"),
        (("RIF: J-41207735-8", "Total 10836,02|TOTAL Bs.|CURRENCY"), "VES"),
        (("UAB Akme", "Bendra suma 2571.25|TOTAL"), "EUR"),
        (("Trondheim", "Å betale kr|CURRENCY 6 401,50|TOTAL"), "NOK"),
        (("Total ₡116333,50|TOTAL",), "CRC"),
        (("La Paz", "NIT: 348216027", "TOTAL 186|TOTAL", "Son: Ciento ochenta y seis 00/100 BOLIVIANOS"), "BOB"),
        (("RIF/CI:J-40118273-5", "Total: 4894.62|TOTAL Bs.|CURRENCY"), "VES"),
        (("CNIC: 37405-2218940-1", "Amount (Rs.) 4138.20|TOTAL"), "PKR"),
        (("Beløp: 14250.00|TOTAL kr|CURRENCY", "Kontonummer: 1506 42 88317"), "NOK"),
        (("Kennitala 550312-0870", "Samtals 126.340|TOTAL kr|CURRENCY"), "ISK"),
        (("Montant payé 18,500|TOTAL MRU",), "MRU"),
        (("发票号码: 44107", "Total ¥3200.00|TOTAL"), "CNY"),
        (("領収書 お支払い", "Total ¥3200|TOTAL"), "JPY"),
        (("Общо за плащане 828.00|TOTAL лв|CURRENCY",), "BGN"),
        (("Всего к оплате: 99 000.00|TOTAL", "Девяносто девять тысяч рублей 00 копеек"), "RUB"),
        (("ยอดสุทธิ 26,750.00|TOTAL",), "THB"),
        (("Encarnación", "Timbrado 16402873", "Total (Gs): 1031700|TOTAL"), "PYG"),
    ],
)
def test_signs_that_several_countries_share_mean_the_one_of_the_page(lines: tuple[str, ...], code: str) -> None:
    assert best(*lines) == code


def test_a_discount_is_no_capital() -> None:
    assert home_currencies(["Cena Rabat Iznos"]) == {}
    assert home_currencies(["10000 Rabat"])["MAD"] == 1


def test_a_tax_that_is_included_is_no_company() -> None:
    assert home_currencies(["Tax Inc/Exc", "Price (Inc GST)"])["USD"] == 0
    assert home_currencies(["Akme Inc"])["USD"] == 1


def test_the_place_of_a_currency_may_be_a_country_in_capitals() -> None:
    lines = ("AKME TRADERS", "MOMBASA ROAD, NAIROBI")
    (found,) = currencies(gather(document_of(lines), reading_of(lines)))
    assert (found.value, found.place) == ("KES", Place(0, (2, 3, 4)))


def test_the_heading_of_a_column_names_the_money_of_the_pages_country() -> None:
    lines = (
        "Karachi, Pakistan",
        "Amount(FC) Amount(RS)",
        "Freight 1850 USD|CURRENCY 410,237.50",
        "Total 435,437.50|TOTAL",
    )
    assert best(*lines) == "PKR"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["ФИСКАЛНИ РАЧУН", "ПИБ 101234567", "Чачак", "За уплату 1.250,00|TOTAL"], "RSD"),
        (["ФІСКАЛЬНИЙ ЧЕК", "м. Полтава", "Сума 480,00|TOTAL", "ПДВ 80,00"], "UAH"),
        (["電子發票證明聯", "高雄市", "總計 315|TOTAL"], "TWD"),
        (["মূসক", "রাজশাহী", "মোট 2,300.00|TOTAL"], "BDT"),
    ],
)
def test_where_no_money_is_named_the_country_says_which_it_is(lines: list[str], code: str) -> None:
    assert best(*lines) == code
