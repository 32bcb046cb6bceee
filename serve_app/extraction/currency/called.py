"""The currency that an amount is called in: the code or sign of its own that stands beside it."""

from collections.abc import Mapping, Sequence
from functools import partial

from serve_app.domain.document import TextSource
from serve_app.extraction.currency.currencies import (
    currency_of,
    is_only_a_word,
    is_single_letter,
    is_strong_mark,
    may_mean,
    names_currency,
)
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import ends_in_decimals

_AROUND = "€£$¥ ()*-:"
_OTHER_SIGNS = str.maketrans("€£$", "₺₺₺")


def texts_of(page: PageEvidence, home: Mapping[str, int]) -> list[str]:
    """The words of a page. OCR takes some of a Turkish page's signs of the lira for others."""
    texts = [word.text for word in page.page.words]
    is_lira = page.page.source is TextSource.OCR and home.get("TRY", 0) > 0 and any("₺" in text for text in texts)
    return [text.translate(_OTHER_SIGNS) for text in texts] if is_lira else texts


def called_currency(page: PageEvidence, words: Sequence[int], texts: Sequence[str]) -> tuple[str, int] | None:
    """The currency that an amount, given by its words, is called in, and the word that names it; None if no currency's
    own code or sign stands beside it. If one stands on each side, the latter may belong to the next amount."""
    line = page.line_of(words[0])
    first, behind = line.index(words[0]), line.index(words[0]) + len(words)
    for at in range(first, min(behind, len(line))):
        if (code := _own(line, texts, at)) is not None:
            return code, line[at]
    before = _own(line, texts, first - 1) if first else None
    after = _own(line, texts, behind) if behind < len(line) and not is_single_letter(texts[line[behind]]) else None
    is_of_next = behind + 1 < len(line) and texts[line[behind + 1]][:1].isdigit()
    if after is not None and not (before is not None and is_of_next):
        return after, line[behind]
    return None if before is None else (before, line[first - 1])


def _own(line: Sequence[int], texts: Sequence[str], at: int) -> str | None:
    """The currency that a word of a line names by its code, or by a sign that no other currency has."""
    text = texts[line[at]]
    code = currency_of(text, {})
    is_own = code is not None and names_currency(text, code)
    return code if is_own and not is_only_a_word([texts[word] for word in line], at) else None


def has_sums_in_other_money(pages: Sequence[PageEvidence], code: str, amount: str, home: Mapping[str, int]) -> bool:
    """Whether sums with decimals are called in another currency than this one. The amount itself, as it is printed, is
    in no other: what stands beside it there means something else."""
    called = (each for page in pages for each in page.facts.found_once(_called, partial(_called, page, home)))
    return any(other != code and text != amount.strip(_AROUND) for other, text in called)


def _called(page: PageEvidence, home: Mapping[str, int]) -> frozenset[tuple[str, str]]:
    """The currencies that sums of a page are called in, by codes and signs that mean nothing else, and the sums."""
    texts = texts_of(page, home)
    sums = (word for word, text in enumerate(texts) if ends_in_decimals(text))
    called = ((called_currency(page, (word,), texts), texts[word]) for word in sums)
    return frozenset(
        (found[0], text.strip(_AROUND)) for found, text in called if found and is_strong_mark(texts[found[1]])
    )


def may_be_called(page: PageEvidence, words: Sequence[int], code: str) -> bool:
    """Whether a word of an amount or beside it can name the currency, as a sign of several can."""
    line = page.line_of(words[0])
    first = line.index(words[0])
    beside = line[max(first - 1, 0) : first + len(words) + 1]
    return any(may_mean(page.page.words[word].text, code) for word in beside)
