"""Numbers that may be the invoice's."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import ANSWER, Candidate, Place, Places, spans
from serve_app.extraction.candidates.features import Features, of_captions, of_models
from serve_app.extraction.captions import Caption
from serve_app.extraction.captions.find import are_captions
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.corrected import corrected_words
from serve_app.extraction.dates.dates import find_dates
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.facts.broken_numbers import whole_number
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.identifiers import looks_like_iban
from serve_app.extraction.parties.names import normal_number, printed_number

KINDS = (
    Caption.INVOICE_NUMBER,
    Caption.RECEIPT_NUMBER,
    Caption.NUMBER,
    Caption.TITLE,
    Caption.OTHER_NUMBER,
)
# A number after one of these may be the invoice's whatever the models say.
_STRONG_CAPTIONS = frozenset(KINDS[:4])
_LABELS = (Label.INVOICE_NUMBER, Label.OTHER_NUMBER)
# Words up to this likely to be an invoice number are not one according to the models.
_SEEN = 0.03
# From this probability on, a word is a part of a number rather than not.
_SURE = 0.5
_YEAR = re.compile(r"(?:19|20)\d\d")
# A telephone number of its country, without anything that says so.
_BARE_PHONE = re.compile(r"0[1-9]\d{8,10}")
_PHONE = re.compile(r"\+\d|\(?0\d+\)|.*\(\d+\)")
# A barcode of Code 39 begins and ends with asterisks, also where it is printed in letters.
_BARCODE = re.compile(r"\*.+\*")
# What has digits and is no invoice's number, all of it.
_OTHER = re.compile(
    r"""
      \D{0,3}\d[\d.,]*[.,]\d\d\D{0,3}                           # an amount of money
    | \d{1,2}[:h]\d\d(?::\d\d)?                                 # a time
    | (?:\+?1[- .]?)?\(\d{3}\)[- .]?\d{3}[- .]\d{4}             # a telephone of North America
    | (?:1-)?\d{3}-\d{3}-\d{4}
    | F(?:PR|PA|SM)1[02] | TD[0-2]\d                            # format and kind of an Italian electronic invoice
    | N[1-7](?:\.\d)?                                           # why Italy does not tax a row
    | \d{3}\.\d{3}\.\d{3}-\d\d | \d\d\.\d{3}\.\d{3}/\d{4}-\d\d  # a tax number of Brazil
    | \d{4}-\d{6}-\d{3}-\d                                      # a tax number of El Salvador
    | TBAI-\S.*                                                 # what tills in the Basque Country sign with
    | (?i:.+(?:\.(?:pdf|xml|jpe?g|png)|\.\.\.|…))               # the name of a file; what is not printed whole
    | .*(?://|\*).*                                             # a link; what masks digits
    """,
    re.VERBOSE,
)
_BREAK = re.compile(r"(?<=\S-) ")
# The number of a page behind that of the invoice, as the north of Europe writes it: "1(2)".
_PAGE = re.compile(r" \d{1,2}\(\d{1,2}\)?$")
# The letters of a series, apart from its numbers.
_SERIES = re.compile(r"[A-Z]{1,4}")
_SERIES_AND_NUMBER = WordPattern(r"(?:^|\s){languages.series}:? [^\W\d_]{1,5} {documents.numbered}\.?:?$")
# A cell that may be the series of the number in the next one.
_SERIES_CELL = re.compile(r"[^\W\d_]{1,4}(?:-[^\W\d_]{1,3})?")
# All of a cell: "B001 - 00018834", as Peru numbers invoices and receipts.
_DASHED = re.compile(r"[A-Z]\w{3} - \d{4,8}")
_SERIES_BEHIND = re.compile(r"[A-Z]")
# What stands before the number of an order or a return; that of the buyer is another's.
_ORDER = WordPattern(
    r"(?:(?P<others>{documents.others_order}) )?{documents.order}"
    r"(?:[ .]+(?:{documents.numbered|parties.code}|n\.))?[\s.:#º°]*$"
)
_ORDER_WORDS = 4
_ORDERED = re.compile(r"[A-Za-z\d][\w/-]*\d[\w/-]*")


def number_candidates(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """Every number that a model or a caption takes for the invoice's, each place once."""
    found = _without_corrected(pages, _printed_numbers(pages))
    repeated = Counter(normal_number(word.text) for page in pages for word in page.page.words)
    whole = Places(place for place in found if _is_whole(pages[place.page], place))
    return [
        Candidate(text, 0.0, place, _features(pages, place, text, repeated))
        for place, text in found.items()
        if not whole.have_whole_of(place)
    ]


def _printed_numbers(pages: Sequence[PageEvidence]) -> dict[Place, str]:
    """The places of numbers that may be the invoice's, as they are printed there."""
    found: dict[Place, str] = {}
    for place in _places(pages):
        page = pages[place.page]
        printed = _PAGE.sub("", _BREAK.sub("", page.text(place.words)))
        text = printed_number(printed)
        is_code = _BARCODE.fullmatch(printed) or _is_phone(page, place, text)
        if _is_number(text) and not is_code and page.is_printed(place.words):
            found.setdefault(place, text)
    return found


def _without_corrected(pages: Sequence[PageEvidence], found: dict[Place, str]) -> dict[Place, str]:
    """The numbers without those of an invoice that the pages correct, unless these are all."""
    other = corrected_words(pages)
    corrected = {
        normal_number(text)
        for place, text in found.items()
        if place.words[0] in other[place.page] or _is_of_other_invoice(pages[place.page], place.words)
    }
    return {place: text for place, text in found.items() if normal_number(text) not in corrected} or found


def order_number(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """The number of the seller's order, or of a return, which mails and receipts of shops print where they have no
    number of their own; as likely as an answer must be."""
    for number, page in enumerate(pages):
        for line in page.lines:
            for at, word in enumerate(line):
                text = printed_number(page.page.words[word].text)
                before = page.text(line[max(at - _ORDER_WORDS, 0) : at])
                if _ORDERED.fullmatch(text) and _is_number(text) and _names_order(before):
                    return [Candidate(text, ANSWER, Place(number, (word,)))]
    return []


def _names_order(text: str) -> bool:
    """Whether a text ends by announcing the number of an order of the seller's, and not of the buyer's or another's."""
    found = _ORDER.search(text)
    return found is not None and not found["others"]


def _is_of_other_invoice(page: PageEvidence, words: Words) -> bool:
    """Whether a number is that of the invoice that a credit note corrects."""
    captions = page.captions([word for word in words if word in page.line_of(words[0])])
    is_before = Caption.OTHER_INVOICE in captions.before and captions.skipped == 0
    return is_before or Caption.OTHER_INVOICE in captions.above


def _is_phone(page: PageEvidence, place: Place, text: str) -> bool:
    """Whether a number without a caption of its own is written as telephone numbers are within a country."""
    captions = page.captions(place.words)
    strong = _STRONG_CAPTIONS.intersection((*(captions.before if captions.skipped == 0 else ()), *captions.above))
    if strong:
        return False
    cell = page.cell_of(place.words[-1])
    following = page.text(cell[cell.index(place.words[-1]) + 1 :][:1])
    return any(_BARE_PHONE.fullmatch(number) for number in (text, f"{text}{following}"))


def _is_whole(page: PageEvidence, place: Place) -> bool:
    """Whether the models take each of several words for a part of the number: "RE 2024-9460"."""
    return len(place.words) > 1 and all(page.probability(word, Label.INVOICE_NUMBER) >= _SURE for word in place.words)


def _is_number(text: str) -> bool:
    """Whether a text can be an invoice's number: it has a digit, and is nothing else, such as a bank account."""
    has_digit = any(character.isdigit() and character != "0" for character in text)
    return has_digit and _OTHER.fullmatch(text) is None and not looks_like_iban(text)


def _places(pages: Sequence[PageEvidence]) -> Iterator[Place]:
    for place, _ in spans(pages, Label.INVOICE_NUMBER, floor=0.2):
        # The same number twice is one number.
        if len({pages[place.page].page.words[word].text for word in place.words}) == len(place.words):
            yield Place(place.page, _whole(pages[place.page], place.words))
    for number, page in enumerate(pages):
        for index, word in enumerate(page.page.words):
            if any(map(str.isdigit, word.text)) and _is_possible(page, index):
                yield Place(number, _whole(page, (index,)))


def _whole(page: PageEvidence, words: tuple[int, ...]) -> tuple[int, ...]:
    return _with_series(page, whole_number(page.facts, words))


def _with_series(page: PageEvidence, words: tuple[int, ...]) -> tuple[int, ...]:
    """The words of a number with the letters that a caption introduces before it, after a number or not, or that end
    its cell: "N° FA 2024 / 0378", "n. 2406 E 0019552", "No. 731908 B", "Seria HCD nr. 10482"."""
    cell = page.cell_of(words[0])
    if _DASHED.fullmatch(page.text(cell)):
        return cell
    at, end = cell.index(words[0]), cell.index(words[-1]) + 1 if words[-1] in cell else len(cell)
    before, after = cell[max(at - 1, 0) : at], cell[end:]
    if _SERIES_AND_NUMBER.search(page.text(cell[:at])):
        return (cell[at - 2], *words)
    if before and _SERIES.fullmatch(page.text(before)):
        earlier = cell[max(at - 2, 0) : at - 1]
        if page.text(earlier).isdigit() and _is_stated(page, earlier[0]):
            words = (*earlier, *before, *words)
        elif _is_stated(page, before[0]):
            words = (*before, *words)
    return (*words, *after) if len(after) == 1 and _SERIES_BEHIND.fullmatch(page.text(after)) else words


def may_lack_series(page: PageEvidence, words: Words) -> bool:
    """Whether a number that begins with a digit has a cell of a few capitals before it, which may be its series: "A"
    before "3358"."""
    cells = page.cells_of(page.line_of(words[0]))
    at = cells.index(page.cell_of(words[0]))
    if not at or cells[at][0] != words[0] or not page.text(words)[0].isdigit():
        return False
    before = [page.page.words[word] for word in cells[at - 1]]
    text = page.text(cells[at - 1])
    return _SERIES_CELL.fullmatch(text) is not None and text.isupper() and not are_captions(before)


def _is_stated(page: PageEvidence, word: int) -> bool:
    """Whether a caption of the number ends right before a word, and the word is none itself."""
    line = page.line_of(word)
    before = line[: line.index(word)][-1:]
    is_next = bool(before) and are_captions([page.page.words[before[0]]])
    captions = page.captions((word,))
    return is_next and not are_captions([page.page.words[word]]) and not _STRONG_CAPTIONS.isdisjoint(captions.before)


def _is_possible(page: PageEvidence, word: int) -> bool:
    captions = page.captions((word,))
    strong = captions.skipped == 0 and _STRONG_CAPTIONS.intersection(captions.before)
    return (
        bool(strong)
        or bool(_STRONG_CAPTIONS.intersection(captions.above))
        or page.probability(word, Label.INVOICE_NUMBER) > _SEEN
    )


def _features(pages: Sequence[PageEvidence], place: Place, text: str, printed: Counter[str]) -> Features:
    page = pages[place.page]
    digits = sum(map(str.isdigit, text))
    return {
        **of_models(page, place.words, _LABELS),
        **of_captions(page.captions([word for word in place.words if word in page.line_of(place.words[0])]), KINDS),
        f"digits:{'few' if digits < 3 else 'some' if digits < 5 else 'many'}": 1.0,
        "letters": float(any(map(str.isalpha, text))),
        "only letters before": float(text[:1].isalpha()),
        "year": float(_YEAR.fullmatch(text) is not None),
        "date": float(bool(find_dates(text))),
        "phone": float(_PHONE.match(text) is not None),
        "first page": float(place.page == 0),
        "repeated": min(printed[normal_number(text)], 4) / 4,
        "in a long line": float(len(tokens(page.text(page.line_of(place.words[0])))) > 12),
    }
