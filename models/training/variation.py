"""Variations of a real page, so that a few hundred documents can be seen many times without being learned by heart."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from models.training.generator.core.finish import page_of, tags_of
from models.training.generator.core.noise import disturb, draw_noise
from models.training.generator.core.spots import Spot
from models.training.labelled import Labelled, LabelledDocument
from serve_app.domain.document import Box, Document, Page, TextSource, Word
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label

# Dates and times keep their digits: others would make days and hours that do not exist.
_DATE_OR_TIME = re.compile(r"\d{1,4}([./:-])\d{1,2}(\1\d{1,4})?|(19|20)\d\d")
_MOST_LOST = 0.04
_SMALLEST = 0.85
# The shares of documents with other names, and of text layers that become readings of a scan.
_RENAMED, _READ = 0.5, 0.3
_NAMES = frozenset({f"{prefix}-{label}" for prefix in "BI" for label in (Label.SELLER, Label.BUYER)})
_LETTERS = re.compile(r"[^\W\d_]{4,}")
# A word in the names of so many issuers is one of form or trade ("GmbH", "Services") and stays.
_COMMON = 3
# The entity of words whose label nobody knows.
_OF_UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Names:
    """The words of which the parties of a collection are called: `own` belong to few of them each, `common` to many."""

    own: tuple[str, ...]
    common: frozenset[str]

    @classmethod
    def of(cls, documents: Iterable[tuple[str, Labelled]]) -> "Names":
        """The words of the names in documents, each with its issuer."""
        issuers: dict[str, set[str]] = defaultdict(set)
        for issuer, document in documents:
            for word in _name_words(document):
                issuers[word].add(issuer)
        common = frozenset(word for word, owners in issuers.items() if len(owners) >= _COMMON)
        return cls(tuple(sorted(issuers.keys() - common)), common)


def varied(labelled: Labelled, rng: Random, names: Names) -> LabelledDocument:
    """The document with other digits, often with other names, slightly moved and scaled, without some unlabelled words,
    and now and then as if read from a scan.

    Equal numbers and equal names stay equal, so repeated sums still match; arithmetic no longer holds, but the token
    models do not look at it.
    """
    digits = _other_digits(rng)
    renamed = _other_names(labelled, rng, names) if rng.random() < _RENAMED else {}
    is_read = rng.random() < _READ and all(page.source is TextSource.TEXT_LAYER for page in labelled.document.pages)
    pages, tags = [], []
    for page, page_tags in zip(labelled.document.pages, labelled.tags, strict=True):
        page, page_tags = _thinned(page, page_tags, rng)
        words = (replace(word, text=_renamed(_redrawn(word.text, digits), renamed)) for word in page.words)
        page = replace(page, words=tuple(words))
        page, page_tags = _read(page, page_tags, rng) if is_read else (_moved(page, rng), page_tags)
        pages.append(page)
        tags.append(page_tags)
    return LabelledDocument(Document(tuple(pages)), tuple(tags))


def _other_digits(rng: Random) -> dict[int, int]:
    """A permutation of 1 to 9 for `str.translate`; 0 stays, so that round sums stay round."""
    return str.maketrans("123456789", "".join(rng.sample("123456789", 9)))


def _redrawn(text: str, digits: dict[int, int]) -> str:
    return text if _DATE_OR_TIME.search(text) else text.translate(digits)


def _name_words(document: Labelled) -> Iterator[str]:
    """The longer words of the parties' names, folded."""
    for page, tags in zip(document.document.pages, document.tags, strict=True):
        for word, tag in zip(page.words, tags, strict=True):
            if tag in _NAMES:
                yield from (part.casefold() for part in _LETTERS.findall(word.text))


def _other_names(document: Labelled, rng: Random, names: Names) -> dict[str, str]:
    """For every word that only this document's parties are called, one of another's."""
    own = sorted(set(_name_words(document)) - names.common)
    return {word: rng.choice(names.own) for word in own} if names.own else {}


def _renamed(text: str, renamed: Mapping[str, str]) -> str:
    """The text with other names in its own letter case."""

    def other(found: re.Match[str]) -> str:
        word = found[0]
        new = renamed.get(word.casefold(), word)
        return new.upper() if word.isupper() else new.title() if word[0].isupper() else new

    return _LETTERS.sub(other, text) if renamed else text


def _thinned(page: Page, tags: tuple[str, ...], rng: Random) -> tuple[Page, tuple[str, ...]]:
    """The document without a few unlabelled words."""
    share = rng.uniform(0, _MOST_LOST)
    kept = [index for index, tag in enumerate(tags) if tag not in (OUTSIDE, UNKNOWN) or rng.random() >= share]
    words: tuple[Word, ...] = tuple(page.words[index] for index in kept)
    return replace(page, words=words), tuple(tags[index] for index in kept)


def _read(page: Page, tags: tuple[str, ...], rng: Random) -> tuple[Page, tuple[str, ...]]:
    """The page as OCR would read it."""
    spots = disturb(list(_spots(page, tags)), draw_noise(rng), rng, page.width, page.height)
    read, ordered = page_of(page.number, page, spots)
    known = tags_of(ordered, is_invoice=True, seen=set())
    read_tags = (UNKNOWN if spot.entity == _OF_UNKNOWN else tag for spot, tag in zip(ordered, known, strict=True))
    return replace(read, source=TextSource.OCR), tuple(read_tags)


def _spots(page: Page, tags: tuple[str, ...]) -> Iterator[Spot]:
    """The words in points; every value is an entity of its own."""
    entities: dict[str, int] = {}
    for number, (word, tag) in enumerate(zip(page.words, tags, strict=True), start=1):
        label = Label(tag[2:]) if tag not in (OUTSIDE, UNKNOWN) else None
        if tag.startswith("B-"):
            entities[tag[2:]] = number
        entity = entities.get(tag[2:], number) if label else _OF_UNKNOWN if tag == UNKNOWN else 0
        box = word.box
        edges = box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height
        yield Spot(word.text, *edges, label, entity)


def _moved(page: Page, rng: Random) -> Page:
    move = _Move.draw(rng)
    return replace(page, words=tuple(replace(word, box=move.of(word.box)) for word in page.words))


class _Move:
    """A change of scale and place that keeps every box on the page."""

    def __init__(self, x_scale: float, y_scale: float, x_shift: float, y_shift: float) -> None:
        self._scale = x_scale, y_scale
        self._shift = x_shift * (1 - x_scale), y_shift * (1 - y_scale)

    @classmethod
    def draw(cls, rng: Random) -> "_Move":
        return cls(rng.uniform(_SMALLEST, 1), rng.uniform(_SMALLEST, 1), rng.random(), rng.random())

    def of(self, box: Box) -> Box:
        (width, height), (right, down) = self._scale, self._shift
        return Box(box.x0 * width + right, box.y0 * height + down, box.x1 * width + right, box.y1 * height + down)
