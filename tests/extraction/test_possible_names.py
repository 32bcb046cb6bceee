"""Which names of a page may be the issuer's at all."""

from dataclasses import replace

import pytest

from serve_app.domain.document import Document, TextSource
from serve_app.extraction.candidates.objections import is_plausible
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.evidence import gather
from serve_app.extraction.parties.names import printed_name, printed_number
from tests.extraction.pages import document_of, reading_of


def names(*lines: str, sure: float = 0.5) -> list[str]:
    """The names that nothing speaks against."""
    candidates = vendor_candidates(gather(document_of(lines), reading_of(lines, sure=sure)))
    return [candidate.value for candidate in candidates if is_plausible(candidate.features)]


def test_what_is_registered_is_no_part_of_a_name() -> None:
    line = "Studio|SELLER Akme|SELLER –|SELLER C.F.|SELLER e|SELLER P. IVA 01744190031"
    assert names(line, sure=0.9) == ["Studio Akme"]


@pytest.mark.parametrize(
    ("lower", "is_one_name"),
    [("Weaving|SELLER", False), ("Advisory|SELLER Group|SELLER", True), ("Weaving|SELLER Ltd|SELLER", True)],
)
@pytest.mark.parametrize("source", TextSource)
def test_smaller_letters_below_a_name_say_what_it_sells(source: TextSource, lower: str, is_one_name: bool) -> None:
    lines = ("AKME|SELLER", lower, *("Thank you for your custom",) * 3)
    printed = document_of(lines).pages[0]
    large = replace(printed.words[0], box=replace(printed.words[0].box, y0=0.005))
    page = replace(printed, words=(large, *printed.words[1:]), source=source)
    candidates = vendor_candidates(gather(Document((page,)), reading_of(lines, sure=0.6)))
    found = [candidate.value for candidate in candidates if is_plausible(candidate.features)]
    assert "AKME" in found
    assert (f"AKME {lower.replace('|SELLER', '')}" in found) == is_one_name


@pytest.mark.parametrize(
    ("brand", "is_offered"), [("Sarang|SELLER Beispiel|SELLER", True), ("SARANG|SELLER BEISPIEL|SELLER", False)]
)
def test_a_company_in_capitals_below_its_brand_is_a_name_of_its_own(brand: str, is_offered: bool) -> None:
    lines = (brand, "AKME|SELLER TRADING|SELLER SDN|SELLER BHD|SELLER")
    (page,) = gather(document_of(lines), reading_of(lines))
    # The models take both lines for one name.
    begins = page.begins.copy()
    begins[1:] = 0
    candidates = vendor_candidates([replace(page, begins=begins)])
    found = {candidate.value for candidate in candidates if is_plausible(candidate.features)}
    assert ("AKME TRADING SDN BHD" in found) == is_offered


def test_a_name_may_go_on_behind_its_conjunction() -> None:
    found = names("Akme|SELLER Gerüst-|SELLER und|SELLER", "Fassadenbau|SELLER GmbH|SELLER", sure=0.9)
    assert found == ["Akme Gerüst- und Fassadenbau GmbH"]


def test_an_agent_may_say_whose_landlord_it_writes_for() -> None:
    lines = (
        "Cabinet|SELLER Beispiel|SELLER",
        "établie au nom et pour le compte du bailleur : SCI du Moulin (TVA FR 62)",
    )
    found = names(*lines)
    assert "SCI du Moulin" in found
    assert "Cabinet Beispiel" not in found


def test_who_writes_a_credit_for_a_delivery_is_its_buyer() -> None:
    lines = ("Landhandel|SELLER Beispiel|SELLER AG|SELLER", "Hof|BUYER Akme|BUYER GbR|BUYER",
             "Lieferanten-Nr. 70 2216", "Gutschrift (Abrechnung gem. § 14 Abs. 2 UStG)")  # fmt: skip
    assert names(*lines, sure=0.9) == ["Hof Akme GbR"]


@pytest.mark.parametrize(
    "line",
    ["Inh. Akme Lebensmittel oHG", "Prop.: Akme Lebensmittel oHG"],
)
def test_who_runs_a_shop_is_named_without_the_word(line: str) -> None:
    assert printed_name(line) == "Akme Lebensmittel oHG"


@pytest.mark.parametrize("line", ["名称：阿克米有限公司", "销 名称：阿克米有限公司", "名稱:阿克米有限公司"])
def test_the_caption_of_a_name_in_one_word_with_it_is_no_part_of_it(line: str) -> None:
    assert printed_name(line) == "阿克米有限公司"


@pytest.mark.parametrize(
    "line", ["14 Akme|SELLER Ogunsanya|SELLER Street, Surulere", "K3-113, JL|SELLER AKME|SELLER SULTAN"]
)
def test_a_street_is_no_name(line: str) -> None:
    assert names(line) == []
    assert names("14 Akme|SELLER Street Ltd|SELLER")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Akme d.0.0.", "Akme d.o.o."),
        ("Akme d.0.O.", "Akme d.o.o."),
        ("Akme Sp. z 0.0.", "Akme Sp. z o.o."),
        ("AKME \u0421\u041e., LTD.", "AKME CO., LTD."),
        ("Akme s.r.0.", "Akme s.r.o."),
        ("Akme S.r.I.", "Akme S.r.l."),
        ("Akme S.r.I.s.", "Akme S.r.l.s."),
        ("Akme S.à r.I.", "Akme S.à r.l."),
        ("AKME S.R.1.", "AKME S.R.L."),
        ("AKME (M) SON BHO", "AKME (M) SDN BHD"),
        ("Akme CmbH", "Akme GmbH"),
        ("Akme Lld.", "Akme Ltd."),
        ("akme ltd", "akme ltd"),
        # The number of the company, and what OCR joins of two cells.
        ("AKME SDN. BHD.(317041-W)", "AKME SDN. BHD."),
        ("Akme Sdn Bhd (Co. No:20154-T)", "Akme Sdn Bhd"),
        ("Akme (2000) Ltd", "Akme (2000) Ltd"),
        ("Akme GmbH·Geschäftsführer", "Akme GmbH"),
        ("Akme Works|12", "Akme Works"),
        ("Akme del Segura, S.L.·CIF", "Akme del Segura, S.L."),
        ("A·B Akme", "A·B Akme"),
        ('ТОВ "Медичний центр"', 'ТОВ "Медичний центр"'),
        ('"Akme"', "Akme"),
        ("Akme (Jane Roe", "Akme"),
        ("(주)아크메:", "(주)아크메"),
        ("Акме ЕООД (Akme Ltd.)", "Акме ЕООД"),
        ("Akme & Co. (Pty) Ltd", "Akme & Co. (Pty) Ltd"),
        # As its words stand from left to right.
        ("הבציר קפה", "קפה הבציר"),
    ],
)
def test_a_name_is_given_as_it_is_written(text: str, name: str) -> None:
    assert printed_name(text).rstrip(".") == name.rstrip(".")


def test_a_legal_form_that_was_read_into_a_name_is_set_apart() -> None:
    assert printed_name("TENG AKME TRADINGSDN. BHD.") == "TENG AKME TRADING SDN. BHD."


def test_an_office_may_bill_for_a_doctor() -> None:
    lines = ("PAV|SELLER Beispiel|SELLER GmbH|SELLER",
             "erlauben wir uns im Auftrag und für Rechnung von Dr. Anke Akme zu berechnen")  # fmt: skip
    assert "PAV Beispiel GmbH" not in names(*lines)


def test_the_ordinal_of_a_caption_is_no_part_of_a_number() -> None:
    assert printed_number("n.ºFT2023B/542") == "FT2023B/542"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("FacturăSRB-2025-00417", "SRB-2025-00417"),
        ("Rekening202307-1881", "202307-1881"),
        ("envio#30418", "30418"),
        ("A INV-No.0002300417", "0002300417"),
        ("P0S01/00012379", "POS01/00012379"),
        ("SI/N0R/24/1853", "SI/NOR/24/1853"),
        ("7C41F0A2", "7C41F0A2"),
        ("0090381140).", "0090381140"),
        ("2024-W31•September", "2024-W31"),
        ("BILL/2024/0035", "BILL/2024/0035"),
        ("A #1842", "A #1842"),
    ],
)
def test_what_ocr_joins_with_a_number_is_no_part_of_it(text: str, number: str) -> None:
    assert printed_number(text) == number


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Naam|SELLER Akme|SELLER Techniek|SELLER B.V.|SELLER", "Akme Techniek B.V."),
        ("Ragione|SELLER sociale|SELLER Akme|SELLER S.r.l.|SELLER", "Akme S.r.l."),
    ],
)
def test_the_caption_of_a_name_is_no_part_of_it(line: str, name: str) -> None:
    assert names(line, sure=0.9) == [name]


def test_what_a_company_does_is_no_name() -> None:
    line = "Venta|SELLER al|SELLER por|SELLER mayor|SELLER y|SELLER menor|SELLER"
    assert names("Akme|SELLER Leñas|SELLER SpA|SELLER", "R.U.T. 77.214.906-5", line) == ["Akme Leñas SpA"]


def test_a_person_with_a_title_is_addressed() -> None:
    lines = ("Mr|SELLER Desmond|SELLER Roe|SELLER", "12 Mill Lane", "Akme|SELLER Energy|SELLER Limited|SELLER")
    assert names(*lines, sure=0.9) == ["Akme Energy Limited"]
    assert names("Mr|SELLER Akme|SELLER", "12 Mill Lane", sure=0.9) == ["Mr Akme"]


def test_a_household_that_a_letter_addresses_is_no_issuer_nor_is_either_of_it() -> None:
    lines = ("Mme|SELLER ou|SELLER M.|SELLER Martin|SELLER Paul|SELLER", "Paul|SELLER Martin|SELLER", "Akme|SELLER")
    assert names(*lines, sure=0.9) == ["Akme"]
    assert names("M.|SELLER &|SELLER M.|SELLER Foods|SELLER", sure=0.9) == ["M. & M. Foods"]
    # A company's name may begin like that.
    assert names("Mr|SELLER &|SELLER Mrs|SELLER Smith|SELLER Ltd|SELLER", sure=0.9) == ["Mr & Mrs Smith Ltd"]


@pytest.mark.parametrize(
    ("company", "is_place"),
    [
        ("AKME RETAIL SB (306295-X)", True),
        ("AKME RETAIL SB", False),
        # Its brand may stand in its address, too.
        ("OASIS RETAIL SB (306295-X)", False),
    ],
)
def test_what_the_address_of_a_registered_company_repeats_is_where_its_shop_is(company: str, is_place: bool) -> None:
    found = names("OASIS|SELLER VILLAGE|SELLER", "Lot 2, Oasis Village, Jalan 7,", company, sure=0.9)
    assert ("OASIS VILLAGE" in found) != is_place


def test_a_day_is_no_name() -> None:
    day = "12|SELLER September|SELLER 2025|SELLER 15:47|SELLER"
    assert names(day, "Your parking session", "Akme|SELLER Parking|SELLER", sure=0.9) == ["Akme Parking"]


def test_who_is_thanked_is_the_buyer_and_for_whose_goods_the_seller() -> None:
    found = names("Rosa|SELLER Whitcombe,|SELLER", "Thank you for your order from Akme Outfitters Ltd. You can")
    assert found == ["Akme Outfitters Ltd."]
