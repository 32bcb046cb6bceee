"""The buyer's name, and the identifiers of both parties."""

import re
from collections.abc import Iterator, Sequence

from stdnum.au import abn
from stdnum.in_ import gstin

from serve_app.domain.invoice import Detail, Field
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.vertical_sections import name_beside
from serve_app.extraction.parties.headings import Party, party_of, vertical_heading, without_heading, without_honour
from serve_app.extraction.parties.identifiers import compact
from serve_app.extraction.parties.names import normal_name, printed_name, wrapped_spans
from serve_app.extraction.parties.vendor_details import detail_of_issuer, ibans, is_buyers, party_details, vat_ids

# Words that a model takes for the buyer's name with at least this probability.
SEEN = 0.4
# How much likelier a name below the buyer's heading is than another one.
_HEADED = 0.3
# Fewer letters are not a name, but part of one.
_LETTERS = 2
_GSTIN = re.compile(r"(?<![A-Z0-9])\d{2}[A-Z]{5}\d{4}[A-Z][A-Z0-9]Z[A-Z0-9](?![A-Z0-9])")
_ABN = re.compile(r"\bA\.?B\.?N\.?\W{0,3}(\d{2}(?: ?\d{3}){3})(?!\d)")

Identifiers = dict[Detail, Found[str]]


def buyer_name(pages: Sequence[PageEvidence], vendor: Candidate[str] | None, *, is_receipt: bool) -> Found[str] | None:
    """The likeliest name of a buyer that is not the issuer's. On a receipt, which names cashiers more often than
    buyers, only one below a heading. Where the models see none, the one that a form shows beside a vertical heading."""
    best, likeliest = None, 0.0
    for place, chance in wrapped_spans(pages, Label.BUYER, floor=SEEN):
        page = pages[place.page]
        name = printed_name(without_honour(without_heading(page.text(place.words))))
        is_name = sum(map(str.isalpha, name)) > _LETTERS and "@" not in name and page.is_printed(place.words)
        is_other = vendor is None or normal_name(name) != normal_name(vendor.value)
        is_headed = party_of(page.facts, place.words) is Party.BUYER
        weight = chance + _HEADED * is_headed
        if is_name and is_other and (is_headed or not is_receipt) and weight > likeliest:
            best, likeliest = Found(name, place, (Label.BUYER,), is_proved=is_headed), weight
    return best or next(_beside_headings(pages, vendor), None)


def _beside_headings(pages: Sequence[PageEvidence], vendor: Candidate[str] | None) -> Iterator[Found[str]]:
    for number, page in enumerate(pages):
        for heading in page.facts.vertical_labels:
            words = name_beside(page.facts, heading)
            name = printed_name(page.text(words))
            is_other = vendor is None or normal_name(name) != normal_name(vendor.value)
            if name and is_other and vertical_heading(page.facts, heading) is Party.BUYER:
                yield Found(name, Place(number, words), (Label.BUYER,), is_proved=True)


def identifiers(pages: Sequence[PageEvidence], vendor: Candidate[str] | None) -> Identifiers:
    """The tax identifiers of both parties and the issuer's bank account; only those with valid check digits. Without a
    known issuer there are none.
    """
    if vendor is None:
        return {}
    places = [vendor.place]
    found = {
        Detail.VENDOR_TAX_ID: detail_of_issuer(pages, vendor.value, places, tax_ids),
        Detail.IBAN: detail_of_issuer(pages, vendor.value, places, ibans),
        Detail.BUYER_TAX_ID: next(
            (detail for detail in party_details(pages, tax_ids) if is_buyers(pages, detail)), None
        ),
    }
    return {
        detail: Found(item.value, item.place, depends_on=Field.VENDOR, is_proved=True)
        for detail, item in found.items()
        if item is not None
    }


def tax_ids(text: str) -> Iterator[tuple[int, str]]:
    """The start and the value of VAT identifiers, of India's GSTINs and of Australia's business numbers."""
    yield from vat_ids(text)
    for match in _GSTIN.finditer(text):
        if gstin.is_valid(match[0]):
            yield match.start(), match[0]
    for match in _ABN.finditer(text):
        if abn.is_valid(match[1]):
            yield match.start(1), compact(match[1])
