"""The parties' names and the invoice's number: what is printed, without what is printed around it."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place, best_by_value, spans
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.glued_captions import without_caption
from serve_app.extraction.parties.headings import Party, party_of
from serve_app.extraction.parties.legal_forms import (
    has_legal_form,
    is_only_legal_form,
    with_form_repaired,
    without_legal_form,
)

_EDGES = ' \t:;,|*#•·-–—_="“”„()[]©®™'
_PAIRS = (("(", ")"), ('"', '"'), ("„", "“"), ("„", "”"), ("“", "”"))
# Hyphens at which no line breaks are printed, but nobody types them.
_HYPHENS = str.maketrans("\u2010\u2011", "--")
_NUMBER_LEAD = WordPattern(
    r"^(?:[A-Z]\s(?=inv))?(?:(?:{documents.short_titles*}[-.\s]{0,2}(?:{*documents.numbered*}|nb)[.:°º\s]|"
    r"(?:{documents.numbered|documents.printout*})(?![^\W\d_])[.:°º]?|n(?=\s)|(?:n\.?[°º]|#|№)[.:°º]?)\s*)+(?=\S*\d)"
)
# "FacturăSRB-2025", "envio#30418": a title or a caption that OCR joins with the number.
_TITLE_BEFORE = WordPattern(
    r"^(?:(?=(?-i:[A-Z][a-z])){documents.glued_titles*}(?-i:(?=[A-Z]+\W?\d|\d))|[^\W\d_]{2,}#(?=\d))"
)
# "0090381140)."; what ends in more than one is cut.
_FULL_STOP = re.compile(r"(?<!\.)\.$")
# "P0S01/12379", "SI/S0H/23": letters around what OCR takes for a zero, in a part of a number without other digits.
_MISREAD_O = re.compile(r"(?<![^\W_])(?:P0S(?=\d)|[A-Z]+0[A-Z]+(?![^\W_]))")
# "(306295-X)" glued to a name, and what follows it; "(Co. No: 20154-T)" behind one.
_GLUED_NUMBER = re.compile(r"(?<=[\w.])\(\d[\d -]*(?:-?[A-Z])?(?:\).*)?$")
_REGISTRATION = WordPattern(r"\s?\({countries.registrations}[^\w)]*\d[\d -]*[A-Z]?\)?$")
# "GmbH·Geschäftsführer", "ACME|Market Square": what OCR joins of two cells.
_GLUED_CELL = re.compile(r"(?<=.{4}[\w.])[|·•]\S.*$")
# "#000002 ACME Ltd": the number of a till, a shop or a customer before a name; "1001 Tyres" is a name.
_NUMBER_BEFORE = re.compile(r"^(?:#\s?\d+|\d{5,})\s+(?=[^\W\d_])")
# "on behalf of the carrier ACME Ltd"
_ROLE = WordPattern(r"^{names.role}\s(?=[A-Z])", re.NOFLAG)
# "名称：ACME有限公司": the caption of a name in one word with it; a form prints the first sign of its party before it.
_CAPTION = WordPattern(r"^(?:\w{1,2}\s)?{names.captions}\s?[:：]\s*(?=\w)")
# "Inh. ACME oHG": who runs a shop.
_OWNER = WordPattern(r"^{names.owner}[.:]+\s(?=[^\W\d_])")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff]")
# "dm" of "dm dm-drogerie markt".
_LOGO = re.compile(r"^(\S+) (?=\1[-–.])", re.IGNORECASE)
# A name that is on the page again (footer, sender line, bank details) is likelier to be the issuer's.
REPEATED = 0.05
# A name goes on in one of so many next ones.
NEXT = 60
# How a heading above a name changes its score.
HEADED = {Party.BUYER: 0.2, Party.SELLER: 1.2, None: 1.0}


def normal_name(name: str) -> str:
    """The words by which names are compared; a name that is only a legal form is compared unchanged."""
    return without_legal_form(name) or name.casefold()


def normal_number(number: str) -> str:
    """An invoice number without case and white space, for comparing."""
    return re.sub(r"\s+", "", number).casefold().lstrip("#")


def vendor_names(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """Names that the models take for the issuer's, best first; spellings of one name count together."""
    found = [
        Candidate(name, score, place)
        for place, score in wrapped_spans(pages, Label.SELLER, floor=0.3)
        for name in [pages[place.page].text(place.words).strip(_EDGES)]
        if sum(character.isalpha() for character in name) > 1 and "@" not in name
    ]
    groups: dict[str, list[Candidate[str]]] = {}
    for candidate in found:
        groups.setdefault(normal_name(candidate.value), []).append(candidate)
    merged = []
    for group in groups.values():
        best = max(group, key=lambda candidate: candidate.score)
        score = HEADED[_announced(pages, group)] * (best.score + REPEATED * (len(group) - 1))
        merged.append(replace(best, score=min(1.0, score)))
    return sorted(merged, key=lambda candidate: -candidate.score)


def _announced(pages: Sequence[PageEvidence], group: Sequence[Candidate[str]]) -> Party | None:
    """The party that a heading makes of a name anywhere in the document; the seller if headings contradict each
    other."""
    parties = {party_of(pages[candidate.place.page].facts, candidate.place.words) for candidate in group}
    return next((party for party in (Party.SELLER, Party.BUYER) if party in parties), None)


def wrapped_spans(pages: Sequence[PageEvidence], label: Label, *, floor: float) -> Iterator[tuple[Place, float]]:
    """The spans of a label, with those that a narrow column broke over two lines joined."""
    found = deque(spans(pages, label, floor=floor))
    while found:
        place, score = found.popleft()
        page = pages[place.page]
        for index, (below, other) in enumerate(islice(found, NEXT)):
            if below.page == place.page and _continues(page, place, below, label):
                place = Place(place.page, (*place.words, *below.words))
                score = (score + other) / 2
                del found[index]
                break
        yield place, score


def _continues(page: PageEvidence, place: Place, below: Place, label: Label) -> bool:
    """Whether the second span is the next line of the first: it does not begin a name, and is right below."""
    upper, lower = page.box(place.words), page.box(below.words)
    return lower.is_right_below(upper, 2) and lower.shares_column(upper) and not page.begins_span(below.words[0], label)


def invoice_numbers(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """Numbers that the models take for the invoice's, best first; each has at least one digit."""
    found = []
    for place, score in spans(pages, Label.INVOICE_NUMBER, floor=0.2):
        text = printed_number(pages[place.page].text(place.words))
        if any(character.isdigit() for character in text):
            found.append(Candidate(text, score, place))
    return best_by_value(found)


def printed_name(text: str) -> str:
    """The name in a text of a few words, without surrounding punctuation, a number, role or logo before it and a
    registration number glued to it; a bracket or mark that closes one inside stays."""
    bare = with_form_repaired(_stripped(_in_order(text)))
    for beside in (_CAPTION, _NUMBER_BEFORE, _ROLE, _OWNER, _LOGO, _GLUED_NUMBER, _REGISTRATION, _GLUED_CELL):
        bare = beside.sub("", bare)
    bare = _without_translation(bare)
    if "(" in bare and ")" not in text:
        # What the bracket says goes on elsewhere.
        bare = bare[: bare.index("(")].rstrip() or bare
    closing = next((mark for opening, mark in _PAIRS if _is_open(bare, opening, mark) and f"{bare}{mark}" in text), "")
    return f"{bare}{closing}"


def _without_translation(name: str) -> str:
    """A company's name without the same in brackets behind it: "Акме ЕООД (Akme Ltd)"."""
    before, _, inside = name.partition(" (")
    return before if has_legal_form(before) and has_legal_form(inside) and ")" not in inside else name


def _stripped(text: str) -> str:
    """A text without surrounding punctuation; the bracket of a legal form before the name stays: "(주)아크메"."""
    bare = text.strip(_EDGES)
    form, closing, _ = bare.partition(")")
    return f"({bare}" if closing and f"({bare}" in text and is_only_legal_form(form) else bare


def _in_order(text: str) -> str:
    """The words of a line in the order in which they are read: where most letters are Hebrew or Arabic, from right to
    left."""
    is_turned = 2 * len(_RIGHT_TO_LEFT.findall(text)) > sum(map(str.isalpha, text))
    return " ".join(reversed(text.split())) if is_turned else text


def _is_open(text: str, opening: str, closing: str) -> bool:
    """Whether a text opens a bracket or a quotation that it does not close."""
    return text.count(opening) % 2 == 1 if opening == closing else text.count(opening) > text.count(closing)


def printed_number(text: str) -> str:
    """The number in a text of a few words, without the captions and punctuation that stick to it."""
    bare = without_caption(text.translate(_HYPHENS).strip(_EDGES))
    bare = _NUMBER_LEAD.sub("", bare).strip(_EDGES + "/")
    bare = _FULL_STOP.sub("", bare).rstrip(_EDGES)
    bare = _GLUED_CELL.sub("", _TITLE_BEFORE.sub("", bare))
    bare = _MISREAD_O.sub(lambda letters: letters[0].replace("0", "O"), bare)
    # "Transaction:32507885": a caption glued to its value.
    return re.split("[:：]", bare)[-1].strip(_EDGES) or bare
