"""Pages whose words are in plain notation.

Everything that reads values asks for words in one notation: digits of ASCII, decimals behind a point or a comma, a
minus only where the number is negative. The words of a page are rewritten to that, one for one; the document keeps
what is printed, which the models read and citations show.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from serve_app.domain.document import Document, Page
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.notation.characters import in_plain_characters
from serve_app.extraction.notation.decimals import Habits, habits_of, with_plain_decimals, with_sign_behind
from serve_app.extraction.notation.raised import with_plain_raised

# The widest blank within a number, as a multiple of the height of its letters.
BLANK = 0.5


def in_plain_notation(document: Document, *, has_thousandths: bool) -> tuple[Page, ...]:
    """The pages of a document with its words in plain notation. `has_thousandths`: its currency has three decimals."""
    pages = [_with_plain_words(page, has_thousandths) for page in document.pages]
    runs = [list(_runs(page)) for page in pages]
    habits = habits_of([_text(page, run) for page, of_page in zip(pages, runs, strict=True) for run in of_page])
    return tuple(_with_plain_numbers(page, of_page, habits) for page, of_page in zip(pages, runs, strict=True))


def _with_plain_words(page: Page, has_thousandths: bool) -> Page:
    texts = (_plain_word(word.text, 3 if has_thousandths else 2) for word in page.words)
    return _with_texts(page, dict(enumerate(texts)))


def _plain_word(text: str, decimals: int) -> str:
    """A word with digits of ASCII, raised ones as what they mean, and its currency at its edges."""
    if text.isascii() and "$" not in text:
        return text
    return with_sign_behind(with_plain_raised(in_plain_characters(text), decimals)) or text


def _runs(page: Page) -> Iterator[tuple[int, ...]]:
    """Words of a line that stand as close as the parts of a number, if any has a digit."""
    for line in group_lines([word.box for word in page.words]):
        run: list[int] = []
        for word in line:
            if run and not _is_close(page, run[-1], word):
                yield tuple(run)
                run = []
            run.append(word)
        yield tuple(run)


def _is_close(page: Page, left: int, right: int) -> bool:
    one, other = page.words[left].box, page.words[right].box
    return (other.x0 - one.x1) * page.width <= BLANK * max(one.height, other.height) * page.height


def _text(page: Page, run: Sequence[int]) -> str:
    return " ".join(page.words[word].text for word in run)


def _with_plain_numbers(page: Page, runs: Sequence[tuple[int, ...]], habits: Habits) -> Page:
    changed: dict[int, str] = {}
    for run in runs:
        text = _text(page, run)
        plain = with_plain_decimals(text, habits)
        if plain != text:
            changed |= _by_word(page, run, plain)
    return _with_texts(page, changed)


def _by_word(page: Page, run: Sequence[int], plain: str) -> dict[int, str]:
    """The parts of a rewritten text, which is as long as the printed one; NUL marks what is left out. A word of which
    nothing would be left stays as it is."""
    lengths = [len(page.words[word].text) + 1 for word in run]
    starts = [sum(lengths[:at]) for at in range(len(lengths) + 1)]
    parts = [plain[start : end - 1].replace("\0", "") for start, end in pairwise(starts)]
    return {word: part for word, part in zip(run, parts, strict=True) if part}


def _with_texts(page: Page, texts: dict[int, str]) -> Page:
    if all(texts.get(index, word.text) == word.text for index, word in enumerate(page.words)):
        return page
    words = (
        replace(word, text=texts[index]) if texts.get(index, word.text) != word.text else word
        for index, word in enumerate(page.words)
    )
    return replace(page, words=tuple(words))
