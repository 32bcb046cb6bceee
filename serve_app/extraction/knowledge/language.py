"""What a file in `languages/` says."""

import datetime
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from serve_app.extraction.knowledge.entries import NONE, Entry, WordLists, Words
from serve_app.extraction.knowledge.page_captions import PageCaptions


class Caption(StrEnum):
    """What a caption announces. `NUMBER`, `DATE` and `TITLE` are vague: the value may be the invoice's, or not.
    `OTHER_INVOICE` is the invoice that this document corrects; what is `WITHHELD` is a tax of the seller's, which the
    buyer pays for it and deducts. A phrase with several meanings has them in this order."""

    INVOICE_NUMBER = "invoice_number"
    RECEIPT_NUMBER = "receipt_number"
    NUMBER = "number"
    TITLE = "title"
    OTHER_NUMBER = "other_number"
    OTHER_INVOICE = "other_invoice"
    PURCHASE_ORDER = "purchase_order"
    ISSUE_DATE = "issue_date"
    DATE = "date"
    DUE_DATE = "due_date"
    OTHER_DATE = "other_date"
    TOTAL = "total"
    AMOUNT_DUE = "amount_due"
    SUBTOTAL = "subtotal"
    TAX = "tax"
    PAID = "paid"
    CASH = "cash"
    CHANGE = "change"
    PREVIOUS = "previous"
    QUANTITY_TOTAL = "quantity_total"
    DISCOUNT = "discount"
    COMMISSION = "commission"
    WITHHELD = "withheld"
    SHIPPING = "shipping"
    ROUNDING = "rounding"


class Column(StrEnum):
    """What a column of an item table has. A column that is `OTHER` has none of a row's values; a table with columns of
    a tax, and without any others, is one of taxes."""

    DESCRIPTION = "description"
    QUANTITY = "quantity"
    UNIT_PRICE = "unit_price"
    TOTAL = "total"
    TAX = "tax"
    OTHER = "other"


class Connectives(WordLists):
    """Words that join captions. `without_tax` and `with_tax` join a sum's to a tax's ("Amount incl. 19 % VAT"), with
    `before_tax` between them ("of", "gesetzl."); `both` joins two dates'; `before_date` follows the place in a
    letter's dateline ("Lodi, li 3 marzo").

    Others join what is no caption: `either` two words, one of which holds; `of` leads from a word to whom it belongs;
    `articles` stand before a noun. Dates have `at` before a time and `until` before the last day of a period, `year`
    behind one, and `ordinals` behind the number of a day."""

    without_tax: Words = NONE
    with_tax: Words = NONE
    before_tax: Words = NONE
    both: Words = NONE
    before_date: Words = NONE
    either: Words = NONE
    of: Words = NONE
    articles: Words = NONE
    at: Words = NONE
    until: Words = NONE
    year: Words = NONE
    ordinals: Words = NONE


class Rows(WordLists):
    """Lines of a table that are no items. `subtotal` begins one with the sum of a page or section, or what is carried
    over; `sum` is all its text. `item` is the caption of an item's name where each item is printed as a record."""

    subtotal: Words = NONE
    sum: Words = NONE
    item: Words = NONE


class Sums(WordLists):
    """What is said of sums, written as in `patterns.py`, in small letters. A `discount` comes off a price. A
    bracket that begins with `included` has the taxes in a total, and an issuer that charges none is `exempt`. `net`
    stands behind the caption of a price or a sum without them."""

    discount: Words = NONE
    included: Words = NONE
    exempt: Words = NONE
    net: Words = NONE


class CurrencyWords(WordLists):
    """Words before a currency, written as in `patterns.py`, in small letters: `captions` before its code ("Currency:
    GBP"), and what names `amounts` before it in a bracket ("Amount (RM)"). Sentences say of what is `stated` that it is
    `stated_in` a currency ("All prices are in US dollars")."""

    captions: Words = NONE
    amounts: Words = NONE
    stated: Words = NONE
    stated_in: Words = NONE


class Terms(WordLists):
    """Terms of payment, written as in `patterns.py`, in small letters: `captions` before them, `phrases` that can be
    nothing else, with "#" for a number ("# days net"), and `words` that make terms of what follows a caption. A
    `discount` is for paying until a day, unless `no_discount` is said; `offers` lead to one that stands behind its
    day. A line with a word that is `due` may have the last day for payment; a sentence with one of `payment` says that
    one must pay until its day, or that the money is taken then."""

    captions: Words = NONE
    phrases: Words = NONE
    words: Words = NONE
    discount: Words = NONE
    no_discount: Words = NONE
    offers: Words = NONE
    due: Words = NONE
    payment: Words = NONE


class Documents(WordLists):
    """Titles of documents, written as in `patterns.py`, in small letters: of an `invoice` or whatever asks for or
    states a payment, with `compounds` that are one whatever follows ("Handelsrechnung an"), a `credit_note` or a
    `receipt` among them, and of any `other`. A word that `heads_others` makes the title before it a heading of
    something else ("Bill to", "Invoice date"). What is `carried_over` is a sum, from page to page. `corrected` heads,
    on a credit note, what it says of the invoice that it corrects; on any document, `corrected_values` stand before one
    of that invoice's. Lines that say no more are headings of the parts of a correction: the invoice as it was
    (`before_correction`), as it is now (`after_correction`), and the `difference`. `other_numbers` are captions that
    only documents of other kinds have. An `order` is the seller's, unless one of `others_order` stands before it
    ("your").

    `numbered` are words for "number", which may stick to one, behind one of `short_titles`, too ("InvNo: 17"); so may
    `glued_titles` that begin with a capital ("Invoice17"), and words for a `printout`."""

    invoice: Words = NONE
    compounds: Words = NONE
    credit_note: Words = NONE
    receipt: Words = NONE
    other: Words = NONE
    heads_others: Words = NONE
    carried_over: Words = NONE
    corrected: Words = NONE
    corrected_values: Words = NONE
    before_correction: Words = NONE
    after_correction: Words = NONE
    difference: Words = NONE
    other_numbers: Words = NONE
    order: Words = NONE
    others_order: Words = NONE
    numbered: Words = NONE
    short_titles: Words = NONE
    glued_titles: Words = NONE
    printout: Words = NONE


class Parties(WordLists):
    """What announces a name, written as in `patterns.py`, in small letters: the heading of the seller or the buyer, of
    the `payee`, who is mostly the seller, but may be a bank or collect for others, or of a `person`, who is neither.

    `dear` begins a letter to a buyer; a `greeting` only if the line ends in a comma or a mark of exclamation, since
    names of shops begin with such words, too; `thanks` go on below a buyer's name that ends in a comma. What honours
    the one a letter is sent to stands `behind_buyer` ("御中"). A `code` makes the heading behind it the caption of a
    number ("Cod. fornitore"); a `salesperson` may be the seller, or only sell for one; what follows `yours` is the
    buyer's.

    People have `titles`, and `degrees`; `short_titles` are so short that names begin with them, too.
    """

    buyer: Words = NONE
    seller: Words = NONE
    payee: Words = NONE
    person: Words = NONE
    dear: Words = NONE
    greeting: Words = NONE
    thanks: Words = NONE
    behind_buyer: Words = NONE
    code: Words = NONE
    salesperson: Words = NONE
    yours: Words = NONE
    titles: Words = NONE
    degrees: Words = NONE
    short_titles: Words = NONE


class Names(WordLists):
    """What stands in names and beside them, written as in `patterns.py`, in small letters.

    In forms, `captions` stand before a party's name, a `caption_of` with more words behind it ("name of the seller"),
    `bare_captions` even without a colon; `surname` before a family name, and `address` before an address.

    An `owner` stands before the name of whoever runs a shop ("Inh. Akme oHG"), a `role` before a seller's ("the carrier
    Akme Ltd"), `owned` between a brand and its company ("a unit of Akme Ltd"), and `care_of` before a contact.

    No name begins with what `joins` its words, or is `elided` before one ("d'"); with `leads` a name may begin as well
    ("de"). One with a `collective` may end there; one of several `partners` goes on behind "and". No name ends in a
    word that is `unfinished`, whatever its case, or in `unfinished_as_written`.
    """

    captions: Words = NONE
    caption_of: Words = NONE
    bare_captions: Words = NONE
    surname: Words = NONE
    address: Words = NONE
    owner: Words = NONE
    role: Words = NONE
    owned: Words = NONE
    care_of: Words = NONE
    joins: Words = NONE
    elided: Words = NONE
    leads: Words = NONE
    collective: Words = NONE
    partners: Words = NONE
    unfinished: Words = NONE
    unfinished_as_written: Words = NONE


class Addresses(WordLists):
    """Words of addresses, written as in `patterns.py`, in small letters: `behind_name` and `before_name` of a street
    ("Mill Road", "Jalan Ampang"), which end or begin no company's name, and any `other`; what stands before a number of
    a `phone` or a `fax`."""

    behind_name: Words = NONE
    before_name: Words = NONE
    other: Words = NONE
    phone: Words = NONE
    fax: Words = NONE


class Others(WordLists):
    """Who and what is named on an invoice, but did not issue it, written as in `patterns.py`, in small letters: the
    `maker` of the form or the till, before their name; a `financier` who is to be paid; a `picture` that a mail did not
    load, with words `of_picture` before it; an `activity`, as registers word it."""

    maker: Words = NONE
    financier: Words = NONE
    picture: Words = NONE
    of_picture: Words = NONE
    activity: Words = NONE


class Statements(WordLists):
    """Parts of sentences that say who the issuer is, written as in `patterns.py`, in small letters.

    A place is `operated` by the one whose name follows. One that `is_a` `brand`, perhaps a `registered` one, is whose
    name follows a word for "of". One gives `thanks` for a `purchase`, `bought_from` whose name follows; so does it
    after `copyright`. An agent who `issues` an invoice `on_behalf` of a seller names them; `for_seller` says the same
    alone. `self_billed` is what the buyer wrote."""

    operated: Words = NONE
    is_a: Words = NONE
    registered: Words = NONE
    brand: Words = NONE
    thanks: Words = NONE
    purchase: Words = NONE
    bought_from: Words = NONE
    copyright: Words = NONE
    issues: Words = NONE
    on_behalf: Words = NONE
    for_seller: Words = NONE
    self_billed: Words = NONE


class Trades(WordLists):
    """Words for trades, without accents, as lines under a letterhead print them, and what joins them."""

    words: Words = NONE
    joined_by: Words = NONE


class PageNumbers(WordLists):
    """What a page's number is printed with, written as in `patterns.py`, in small letters: a `word`, and the count that
    it is one `of`. Behind a `sum`, it is not the page's own ("Subtotal page 2")."""

    word: Words = NONE
    of: Words = NONE
    sum: Words = NONE


class Example(Entry):
    """A line as a document in the language prints it, and what it says: what its first caption is, what the column
    below it has, its date, the party that it announces, or the document that it is the title of; or the list with one
    of its `words`, such as `names.owner`."""

    text: str
    caption: Caption | None = None
    column: Column | None = None
    date: datetime.date | None = None
    party: Literal["buyer", "seller"] | None = None
    document: Literal["invoice", "other"] | None = None
    words: Annotated[str, Field(pattern="^[a-z_]+[.][a-z_]+$")] | None = None


class Language(Entry):
    """What documents in a language print. In captions, columns and rows case, accents and punctuation do not count, and
    a phrase may have several meanings.

    `title_endings` are what a compound with this ending is: "Sammelrechnung". `glued_numbers` are words for "number"
    that are captions only where they stick to one ("č.2025001"); a number's `series` stands behind its own word ("Seria
    HCD nr. 10482"). Where words that are `day_first` stand, dates begin with the day. `months` are names that CLDR does
    not have for the `locales` of the language, by default its code, or has for different months in different languages;
    `locales` have names of their own, so one that inherits all of them is left out for its parent.
    `page` has the captions of pages that are laid out here; without it, they are in English."""

    captions: Mapping[Caption, Words] = {}
    title_endings: Words = NONE
    connectives: Connectives = Connectives()
    glued_numbers: Words = NONE
    series: Words = NONE
    columns: Mapping[Column, Words] = {}
    rows: Rows = Rows()
    sums: Sums = Sums()
    currency: CurrencyWords = CurrencyWords()
    terms: Terms = Terms()
    documents: Documents = Documents()
    parties: Parties = Parties()
    names: Names = Names()
    addresses: Addresses = Addresses()
    others: Others = Others()
    statements: Statements = Statements()
    trades: Trades = Trades()
    pages: PageNumbers = PageNumbers()
    day_first: Words = NONE
    locales: Words = NONE
    months: Mapping[Annotated[int, Field(ge=1, le=12)], Words] = {}
    page: PageCaptions | None = None
    examples: tuple[Example, ...]
