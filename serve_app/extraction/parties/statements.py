"""Sentences in small print that say who the issuer is: "Fibra is a brand of Akme Telecom, S.A.", "© 2025 Akme Inc."."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.legal_forms import begins_with_legal_form, has_legal_form, is_only_legal_form

_REGISTERED = r"(?: {statements.registered})?"
# What comes right before the name of a seller for whom an agent writes, and before any issuer's in a sentence.
_FOR = (
    r"(?:{statements.issues}\b[^.]{0,60}? {statements.on_behalf}|{statements.for_seller}) {connectives.of}"
    r"(?: {connectives.articles} \w+,)?,?\s(?:{names.role}\s?[:,]?\s)?"
)
STATED = (
    r"{statements.thanks} {statements.purchase} {statements.bought_from}\s|"
    rf"{{statements.operated}}\s|"
    rf"{{statements.is_a}}{_REGISTERED} {{statements.brand}}{_REGISTERED} {{connectives.of}}\s|{_FOR}|"
    r"{statements.copyright}(?: ?{statements.copyright})?(?: ?(?:19|20)\d\d(?: ?[-–] ?(?:19|20)?\d\d)?)?,?\s"
)
_STATED = WordPattern(rf"(?:{STATED})(?=\S)")
_BY_AGENT = WordPattern(rf"(?:{_FOR})(?=\S)")
# What an agent does with the whole invoice; some of its rows may be another's.
_ISSUES = WordPattern("{statements.issues}")
# A name in a sentence has at most so many words.
_LONGEST = 8
_ENDS = (".", ",", ";", ")")
# What a company's name may go on with behind a legal form.
_LINK = WordPattern("{names.unfinished}")
# The invoice is written by the buyer, for the seller.
_SELF_BILLED = WordPattern("{statements.self_billed}")


def stated_names(texts: Sequence[str], *, by_agent: bool = False) -> Iterator[tuple[int, int]]:
    """From a text's words, the first and the end of each name that a sentence says is the issuer's: up to its legal
    form, or else up to a mark. `by_agent`: only those for whom an agent writes the invoice."""
    text = " ".join(texts)
    if by_agent and not _ISSUES.search(text):
        return
    for found in (_BY_AGENT if by_agent else _STATED).finditer(text):
        start = text.count(" ", 0, found.end())
        end = _end_of_name(texts[start : start + _LONGEST])
        if end:
            yield start, start + end


def _end_of_name(words: Sequence[str]) -> int:
    """How many words the name has that a sentence goes on with."""
    lengths = range(1, len(words) + 1)
    formed = _end_of_form(words)
    # "SCI du Vieux Lavoir" goes on behind its form.
    if formed and not begins_with_legal_form(" ".join(words)):
        return max(end for end in lengths if end == formed or is_only_legal_form(" ".join(words[formed - 1 : end])))
    return next((end for end in lengths if words[end - 1].endswith(_ENDS) or _goes_on(words[end:])), len(words))


def _end_of_form(words: Sequence[str]) -> int:
    """Up to which word a name reaches with its legal form, 0 without one; "Akme Company for Tourism S.A.E." has two."""
    ends = [end for end in range(1, len(words) + 1) if has_legal_form(" ".join(words[:end]))]
    for end, later in pairwise([*ends, 0]):
        behind = words[end + 1 : later]
        if not (behind and _LINK.fullmatch(words[end]) and all(word[0].isupper() for word in behind)):
            return end
    return 0


def _goes_on(rest: Sequence[str]) -> bool:
    """Whether the sentence goes on behind a name: with who did something, or with a bracket."""
    return bool(rest) and (rest[0] == "by" or rest[0].startswith("("))


def is_self_billed(text: str) -> bool:
    """Whether a text says that the buyer wrote the invoice, as carriers' and authors' customers do."""
    return _SELF_BILLED.search(text) is not None
