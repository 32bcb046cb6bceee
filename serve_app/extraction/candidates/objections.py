"""What speaks against a name being the issuer's: that it is no name, or a part of one, or another's."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from serve_app.extraction.candidates.candidate import Place, Places
from serve_app.extraction.candidates.features import Features, Objection
from serve_app.extraction.candidates.other_parties import Names, is_addressed, of_other_parties
from serve_app.extraction.candidates.whole_names import whole_names
from serve_app.extraction.captions import Caption
from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.dates.dates import is_month
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.facts.names import OWNERS, REGISTERED, TOP_LINES, last_line, names_stated
from serve_app.extraction.facts.page import SAME_EDGE
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.notation.plain import plain
from serve_app.extraction.parties.headings import Party, is_greeted, party_of
from serve_app.extraction.parties.legal_forms import begins_with_legal_form, has_legal_form, is_only_legal_form
from serve_app.extraction.parties.trades import is_only_trade

# No name ends like this.
_CUT = WordPattern(" (?:(?i:{names.unfinished})|{names.unfinished_as_written})$", re.NOFLAG)
# Nor does its first line in capitals, if more follows below.
_OF = WordPattern(r" (?=(?-i:[A-Z ]+$)){connectives.of}$")
# The cell of a street: "14 Akme Street, Surulere", "K3-113, Jl. Akme".
_STREET = WordPattern(
    r"\d+\w?,? (?:[^\W\d]\S* ){1,3}{addresses.behind_name}\.?(?:$|,| \d)|(?:\S*\d\S*,? )?{addresses.before_name}\.? "
)
# What is registered follows a name in a footer, behind a dash: "Akme – C.F. e P. IVA 01744190031".
_REGISTRATION_BEHIND = WordPattern(rf" [–—|·-] (?:c\.? ?f\.|{REGISTERED.template})")
# Authorities whose forms many issuers fill in.
_AUTHORITY = WordPattern("{countries.authorities}")
# What stands in a mail for a picture that was not loaded.
_PICTURE = WordPattern("(?:{others.of_picture} )*{others.picture}")
# What stands between two companies that are named together, but not in one's name: "Akme GmbH und Söhne KG".
_AND = WordPattern(r" (?:{connectives.both}|&) (?!(?i:{names.partners})\b)", re.NOFLAG)
# The caption of a person, inside a text.
_OF_PERSON = WordPattern(r" {parties.person}(?: ?[:：]| )")
# One word with this many digits is a tax number or another code.
_CODE = re.compile(r"(?:[^\s\d]*\d){4}\S*")
# No name begins like this: it is the second line of one.
_GOES_ON = WordPattern("{names.joins} |{names.elided}", re.NOFLAG)
# Whoever printed the form or made the till sells something else.
_MAKER = WordPattern("{others.maker}")
# Who bought the debt is to be paid, and who licensed the brand is named, but neither sold anything.
_FACTOR = WordPattern("{others.financier}")
# What a company does, as registers word it.
_ACTIVITY = WordPattern("{others.activity}")
_HELLO = WordPattern(r"{parties.dear|parties.greeting}\W*")
# Letters that were read as words of their own.
_LETTERS_APART = re.compile(
    r"(?<!\S)[^\W\d_](?:\s[^\W\d_]){2,}(?!\S)|\S\s[^\W\d_]\s[^\W\d_](?!\S)|(?<!\S)[A-Z]\s(?=[a-zà-ÿ]{4})"
)
# Links and buttons of e-mails point somewhere; a mark that closes a quotation does not.
_LINK = re.compile(r".*@|.*[→⟶➔➜▶►❯]|[^«‹]*[»›]")


def objections(pages: Sequence[PageEvidence], found: Names) -> dict[Place, Features]:
    """What speaks against each name, as features: the ranking weighs it, so that nothing is out of the question."""
    against = {place: dict(pages[place.page].facts.once(_of_words, place.words, name)) for place, name in found.items()}
    wholes = Places(Place(number, words) for number, page in enumerate(pages) for words in _whole(page))
    halves = Places(place for place in found if not against[place] and _ends_in_half(pages[place.page], place))
    object_to(against, Objection.PART, (place for place in found if wholes.have_whole_of(place)))
    object_to(against, Objection.LINE, (place for place in found if halves.have_whole_of(place)))
    plausible = {place: name for place, name in found.items() if not against[place]}
    for kind, places in of_other_parties(pages, plausible).items():
        object_to(against, kind, places)
    # Of names that are all of this kind, one may be the issuer's.
    for kind, is_of_kind in ((Objection.ADDRESSEE, is_addressed), (Objection.MISREAD, is_misread)):
        places = [place for place, name in plausible.items() if is_of_kind(name)]
        object_to(against, kind, places if len(places) < len(plausible) else ())
    return against


def _whole(page: PageEvidence) -> Iterator[Words]:
    """The names of a page that are whole: the models, or a sentence that names a company, say so."""
    yield from whole_names(page)
    yield from (words for words in page.facts.once(names_stated) if has_legal_form(page.text(words)))


def object_to(against: Mapping[Place, Features], kind: Objection, places: Iterable[Place]) -> None:
    """Add one kind of objection to the names at some places."""
    for place in places:
        against[place][kind.value] = 1.0


def is_plausible(features: Features) -> bool:
    """Whether nothing speaks against a name."""
    return not any(kind.value in features for kind in Objection)


def _of_words(page: PageFacts, words: Words, name: str) -> Features:
    """What speaks against a name by itself, and where it is printed."""
    cell = page.text(page.cell_of(words[-1]))
    is_company = has_legal_form(name)
    kinds = {
        Objection.LINK: _LINK.match(name) is not None,
        Objection.HALF: is_only_legal_form(name) or bool(_CUT.search(name)) or bool(_GOES_ON.match(name)),
        Objection.REGISTRATION: _REGISTRATION_BEHIND.search(name) is not None,
        Objection.PICTURE: _PICTURE.fullmatch(name) is not None,
        Objection.CODE: _CODE.fullmatch(name) is not None,
        Objection.TRADE: is_only_trade(name) or (not is_company and _ACTIVITY.match(name) is not None),
        Objection.FACTOR: _FACTOR.search(name) is not None,
        Objection.GREETING: _HELLO.fullmatch(name) is not None or is_greeted(page, words),
        Objection.TITLE: Caption.TITLE in meanings(tokens(name)),
        Objection.DAY: _is_day(name),
        Objection.STREET: not is_company and _STREET.match(cell) is not None,
        Objection.AUTHORITY: _AUTHORITY.search(cell) is not None,
        Objection.MAKER: _MAKER.match(cell) is not None and not _is_printer(page, words, name),
        Objection.SLOGAN: _ends_slogan(page, words, name),
        Objection.SEVERAL: _names_several(name) or _captions_person(name),
        Objection.CUT: _cuts_bracket(page, words, name) or _cuts_legal_form(page, words),
    }
    return {kind.value: 1.0 for kind, holds in kinds.items() if holds}


def _is_day(text: str) -> bool:
    """Whether a text is a date or a part of one, perhaps with a time."""
    words = text.split()
    are_numbers = [any(map(str.isdigit, word)) for word in words]
    are_parts = (number or is_month(word) for word, number in zip(words, are_numbers, strict=True))
    return any(are_numbers) and not all(are_numbers) and all(are_parts)


def _names_several(name: str) -> bool:
    """Whether a text names two companies: "Akme Netz AG und Akme Handel AG"."""
    parts = ((name[: between.start()], name[between.end() :]) for between in _AND.finditer(name))
    return any(has_legal_form(one) and has_legal_form(other) and not is_only_legal_form(other) for one, other in parts)


def _is_printer(page: PageFacts, words: Words, name: str) -> bool:
    """Whether a printer by name did not only print the form: "Druckerei Akme AG" in a letterhead, or headed as the
    seller."""
    maker = _MAKER.match(name)
    # "Powered by" begins no name.
    if maker is None or " " in maker[0]:
        return False
    return page.row_of(words[0]) < TOP_LINES or party_of(page, words) is Party.SELLER


def _captions_person(name: str) -> bool:
    """Whether the caption of a person follows a company's name: "(주)아크메 성명 홍길동"."""
    return any(has_legal_form(name[: found.start()]) for found in _OF_PERSON.finditer(name))


def _ends_slogan(page: PageFacts, words: Words, name: str) -> bool:
    """Whether a text in small letters goes on behind a name: "chilled & dry" of "Akme – chilled & dry"."""
    is_behind = words[0] != page.cell_of(words[0])[0]
    return name[:1].islower() and is_behind and not has_legal_form(name)


def _ends_in_half(page: PageEvidence, place: Place) -> bool:
    """Whether a name's last line is no name without those above it: "Wilhelm Akme" over "Getränkehandel e.K.",
    "DA GIGI" over "DI AKME S.A.S.", "Akme's" over "HARDWARE", "Akme Gerüst- und" over "Fassadenbau GmbH"."""
    upper, lower = last_line(page.facts, place.words)
    if not upper:
        return False
    is_half = is_only_trade(lower) or _GOES_ON.match(lower.lower()) is not None
    goes_on = upper.endswith(OWNERS) or _OF.search(upper) or _CUT.search(upper)
    return bool(goes_on) or (has_legal_form(lower) and is_half)


def _cuts_bracket(page: PageFacts, words: Words, name: str) -> bool:
    """Whether a name begins inside a bracket of its cell: "(Semenyih) Sdn Bhd" without the first bracket."""
    if name.count(")") <= name.count("("):
        return False
    line = page.line_of(words[0])
    return "(" in page.text(line[: line.index(words[0]) + 1])


def _cuts_legal_form(page: PageFacts, words: Words) -> bool:
    """Whether a name's legal form goes on behind its place, or on the next line: "Akme UG" of "Akme UG
    (haftungsbeschränkt)", "Akme Sp." over "k."."""
    cell = page.cell_of(words[-1])
    last = page.page.words[words[-1]]
    rest = page.text(cell[cell.index(words[-1]) + 1 :])
    if not rest:
        row = page.row_of(words[-1]) + 1
        below = [cell for line in page.lines[row : row + 1] for cell in page.cells_of(line)]
        starts = page.box(cell).x0
        return any(
            abs(page.box(lower).x0 - starts) < SAME_EDGE
            and not is_only_legal_form(last.text)
            and is_only_legal_form(f"{last.text} {page.text(lower)}")
            for lower in below
        )
    return begins_with_legal_form(rest) and not REGISTERED.match(rest)


def is_misread(name: str) -> bool:
    """Whether some letters of a name were read as words because of the room between them ("MIRADOR D E L RIO",
    "T hornbury"), or two names as one, in which a word then follows itself ("Trattoria da Akme" over "AKME s.a.s.").
    Initials in front of a name are none of these: "J R Smith"."""
    is_joined = any(one == other for one, other in pairwise(plain(name).split()))
    return is_joined or _LETTERS_APART.search(name) is not None
