"""What a page that is laid out here calls its values is read as what it is."""

from collections.abc import Iterator

import pytest

from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.knowledge import Caption, Column, PageCaptions, languages
from serve_app.extraction.parties.headings import heading_alone
from serve_app.extraction.split.titles import names_invoice
from serve_app.extraction.tables.captions import meaning_of, tokens
from tests.extraction.knowledge.test_languages import COLUMNS
from tests.extraction.pages import document_of

CAPTIONS = {
    "invoice_number": Caption.INVOICE_NUMBER, "issue_date": Caption.ISSUE_DATE, "due_date": Caption.DUE_DATE,
    "subtotal": Caption.SUBTOTAL, "tax": Caption.TAX, "total_tax": Caption.TAX, "total": Caption.TOTAL,
    "paid": Caption.PAID, "rounding": Caption.ROUNDING, "amount_due": Caption.AMOUNT_DUE, "discount": Caption.DISCOUNT,
}  # fmt: skip
COLUMNS_OF = {
    "description": Column.DESCRIPTION, "quantity": Column.QUANTITY, "unit_price": Column.UNIT_PRICE,
    "tax_rate": Column.TAX, "amount": Column.TOTAL,
}  # fmt: skip


def pages() -> Iterator[object]:
    for code, language in languages().items():
        if language.page:
            yield pytest.param(language.page, id=code)


@pytest.mark.parametrize("page", list(pages()))
class TestPageCaptions:
    def test_values_are_found_beside_them(self, page: PageCaptions) -> None:
        shown = {name: getattr(page, name) for name in CAPTIONS}
        found = {name: find_captions(document_of([f"{text}: 17"]).pages[0].words) for name, text in shown.items()}
        read = {name for name, meant in CAPTIONS.items() if found[name] and meant in found[name][0].meanings}
        assert {shown[name] for name in CAPTIONS.keys() - read} == set()

    def test_columns_are_found_below_them(self, page: PageCaptions) -> None:
        for name, column in COLUMNS_OF.items():
            meaning = meaning_of(tuple(tokens(getattr(page, name))))
            assert meaning is not None
            assert meaning.labels >= COLUMNS[column].labels
            assert meaning.is_tax is COLUMNS[column].is_tax

    def test_parties_are_headed_by_them(self, page: PageCaptions) -> None:
        assert (heading_alone(page.seller), heading_alone(page.buyer)) == ("seller", "buyer")

    def test_the_title_is_that_of_an_invoice(self, page: PageCaptions) -> None:
        assert names_invoice(page.invoice)
