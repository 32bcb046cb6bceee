"""What a file in `countries/` says."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from serve_app.extraction.knowledge.entries import NONE, Entry, WordLists, Words


class Signs(WordLists):
    """What shows that a page is from the country: one sign, whichever of its words stands there.

    Words are written as in `patterns.py`; `addresses`, `letters` and `patterns` are regular expressions for what words
    cannot say: postcodes, an alphabet, numbers of taxpayers. In `addresses`, `{region}` stands for one of the country's
    `regions`.
    """

    places: Words = NONE
    addresses: Words = NONE
    letters: Words = NONE
    legal_forms: Words = NONE
    taxes: Words = NONE
    registers: Words = NONE
    patterns: Words = NONE
    words: Words = NONE


class Sample(Entry):
    """A line that shows where its page is from."""

    text: str


class Rates(Entry):
    """Rates of a tax on sales, in per cent: those of goods, of regions and of farmers, too. From 2015, or from `since`
    to `until`."""

    rates: tuple[Decimal, ...]
    since: date | None = None
    until: date | None = None


class Country(Entry):
    """What pages from a country print. Only they have its `signs`; its `hints` may stand on others, too, or in other
    words. `taxes` are all names of its taxes on sales, with `tax_rates` in per cent where others have taxes of the same
    name. `calling_codes` may go on with the beginning of a number: "1 868", "7 4##".

    `currency_signs` and `currency_names` (as amounts in words have them: "ochenta bolivianos") are its money, in any
    case. `money` are its code and names that no other country's has ("Swiss francs"). `thousandths` are names of money
    with three decimals and of places, one of which must stand beside its sign, that may mean much else. Where nothing
    says which of several countries a sign is from, it is from the one with it in `usual_signs`.

    `date_order` is which of the first two numbers of 03/04/2024 is the day, on invoices in its currency.

    `vat_rates` are all that its invoices may have since 2015; none if they are not known for certain.

    `levies` are regular expressions of what a table has between its rows for the state or a fund.

    `permits` of tills and printers have dates of their own beside them.

    `registrations` stand before the number under which a company or its taxes are registered, `vat_numbers` before that
    of its tax on sales, perhaps as a part of a word; `authorities` have forms that many issuers fill in;
    `general_partners` have names with these words, and only run a company beside them.

    `legal_forms` end a company's name, `leading_forms` begin it. Dots, accents and case do not count. The keys of
    duplicates have more of them (`domain/duplicates.py`)."""

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    currency_signs: Words = NONE
    currency_names: Words = NONE
    usual_signs: Words = NONE
    money: Words = NONE
    thousandths: Words = NONE
    date_order: Literal["day_first", "month_first", "either"] = "day_first"
    calling_codes: Words = NONE
    permits: Words = NONE
    registrations: Words = NONE
    vat_numbers: Words = NONE
    authorities: Words = NONE
    general_partners: Words = NONE
    legal_forms: Words = NONE
    leading_forms: Words = NONE
    regions: Words = NONE
    taxes: Words = NONE
    tax_rates: Mapping[str, tuple[int, ...]] = {}
    vat_rates: tuple[Rates, ...] = ()
    levies: Words = NONE
    signs: tuple[Signs, ...] = ()
    hints: tuple[Signs, ...] = ()
    examples: tuple[Sample, ...]
