"""Finds the values of own fields in two ways: by caption, and by place. If both find the same, they agree."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Citation
from serve_app.domain.memory import LAYOUT, Keys
from serve_app.domain.own_field import OwnField
from serve_app.domain.own_field_example import FieldPlace, OwnFieldExample
from serve_app.extraction.memory.votes import shares_layout, shares_vendor
from serve_app.extraction.own_fields.captions import MIN_LIKENESS, Caption, Captions, Heading, Place
from serve_app.extraction.own_fields.page_lines import Pages, Start, letters_of
from serve_app.extraction.own_fields.places import Placed, in_general, of_vendor
from serve_app.extraction.own_fields.printed_values import Printed, Shapes, outline_of, printed_at

_MOST_OF_VENDOR, _MOST_OF_OTHERS = 5, 20
"""The newest examples that are compared with a document."""
_MOST_SCORE = 0.99
_NOT_PRINTED = 2
"""After so many invoices of a vendor without the field, nobody looks for it."""


class FoundValue(NamedTuple):
    """A value of an own field. `is_agreed`: both ways found it. `score` orders values by how likely they are right."""

    value: str
    citation: Citation
    score: float
    is_agreed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What earlier invoices say about a field: those of the vendor, and all."""

    of_vendor: Sequence[FieldPlace]
    all: Sequence[FieldPlace]

    @property
    def shapes(self) -> Shapes:
        """The outlines of their values."""
        known = self.of_vendor if any(place.text for place in self.of_vendor) else self.all
        return Counter(outline_of(place.text) for place in known if place.text)

    @property
    def is_not_printed(self) -> bool:
        """Whether this vendor never prints the field."""
        return len(self.of_vendor) >= _NOT_PRINTED and all(place.value is None for place in self.of_vendor)


class ByCaption(NamedTuple):
    start: Start
    printed: Printed
    score: float
    caption: Caption
    support: int


def find_own_fields(
    fields: Iterable[OwnField],
    evidence: Evidence,
    keys: Keys,
    examples: Sequence[OwnFieldExample],
    invoice_id: UUID | None = None,
) -> dict[str, FoundValue]:
    """The values of a document with these keys that were found. `examples` are the newest first; what the invoice
    itself has taught does not count."""
    others = [each for each in examples if each.invoice_id != invoice_id]
    own = of_same_vendor(others, keys)
    pages = Pages(evidence)
    found = {field.name: _find(field, pages, _seen(field, own, others)) for field in fields}
    return {name: value for name, value in found.items() if value is not None}


def of_same_vendor(examples: Sequence[OwnFieldExample], keys: Keys) -> list[OwnFieldExample]:
    """Those of the document's vendor, else of its layout."""
    of_vendor = [each for each in examples if shares_vendor(each.keys, keys)]
    if of_vendor or not any(key.startswith(LAYOUT) for key in keys):
        return of_vendor
    return [each for each in examples if shares_layout(each.keys, keys)]


def _seen(field: OwnField, own: Sequence[OwnFieldExample], examples: Sequence[OwnFieldExample]) -> Seen:
    ids = {each.invoice_id for each in own}
    of_vendor = [place for each in own if (place := each.places.get(field.name))][:_MOST_OF_VENDOR]
    others = [
        place
        for each in examples
        if each.invoice_id not in ids and (place := each.places.get(field.name)) and place.value is not None
    ]
    return Seen(of_vendor, [*(place for place in of_vendor if place.value is not None), *others[:_MOST_OF_OTHERS]])


def _find(field: OwnField, pages: Pages, seen: Seen) -> FoundValue | None:
    if seen.is_not_printed:
        return None
    by_caption = _by_caption(field, pages, seen)
    return agreed(pages, by_caption, _by_place(field, pages, seen, has_caption=by_caption is not None), seen)


def agreed(pages: Pages, by_caption: ByCaption | None, by_place: Placed | None, seen: Seen) -> FoundValue | None:
    """The value that both ways have found, or one of them."""
    if by_caption is not None and by_place is not None and by_caption.printed.value == by_place.printed.value:
        score = 1 - (1 - by_caption.score) * (1 - by_place.support * _trust(len(seen.all)))
        is_agreed = by_caption.printed.is_clear
        return _found(
            pages, by_caption, score, f"{_words_of(by_caption)}, and {_place_words(seen)}", is_agreed=is_agreed
        )
    if by_caption is not None:
        return _found(pages, by_caption, by_caption.score / 2, f"{_words_of(by_caption)}.")
    if by_place is not None:
        score = by_place.support * _trust(len(seen.all)) / 2
        return _found(pages, by_place, score, _place_words(seen).capitalize())
    return None


def _by_place(field: OwnField, pages: Pages, seen: Seen, *, has_caption: bool) -> Placed | None:
    """On pages of other vendors only where a caption has found something: a likeness alone is mostly wrong."""
    own = [place for place in seen.of_vendor if place.value is not None]
    if own:
        return of_vendor(field, pages, own, seen.shapes)
    is_known = has_caption and any(place.text for place in seen.all)
    return in_general(field, pages, seen.all, seen.shapes) if is_known else None


def _by_caption(field: OwnField, pages: Pages, seen: Seen) -> ByCaption | None:
    known = captions_of(field, seen)
    captions, shapes = Captions(list(known)), seen.shapes
    found = [
        scored(Start(number, place.line, place.word), printed, place, known, shapes)
        for number, page in pages.by_number.items()
        for place in captions.places(page)
        if place.likeness >= MIN_LIKENESS
        and (printed := printed_at(field, page.segment(place.line, place.word), pages, shapes))
    ]
    return max(found, key=lambda each: each.score, default=None)


def scored(start: Start, printed: Printed, by: Place | Heading, known: Counter[Caption], shapes: Shapes) -> ByCaption:
    """What is printed beside or below a caption, one of the known ones."""
    return ByCaption(start, printed, _score(by, known) * _likely(printed, shapes), by.caption, known[by.caption])


def captions_of(field: OwnField, seen: Seen) -> Counter[Caption]:
    """The captions of the field, and on how many earlier invoices each stood."""
    known: Counter[Caption] = Counter()
    for text in (field.label, *field.captions):
        letters = letters_of(text)
        known.setdefault(Caption(letters, is_above=False), 0)
        known.setdefault(Caption(letters, is_above=True), 0)
    own = [place for place in seen.of_vendor if place.value is not None and place.position is not None]
    for place in own or seen.all:
        known.update(_caption_of(place))
    return known


def _caption_of(place: FieldPlace) -> Iterator[Caption]:
    if place.position is None:
        return
    if place.position.before:
        yield Caption(letters_of(place.position.before), is_above=False)
    elif place.position.above:
        yield Caption(letters_of(place.position.above), is_above=True)


def _score(place: Place | Heading, known: Counter[Caption]) -> float:
    """Captions that stood there before are worth more than those that somebody has named, and those before values more
    than those above."""
    support = known[place.caption]
    return place.likeness * (_trust(support) if support else 0.55 - 0.05 * place.caption.is_above)


def _likely(printed: Printed, shapes: Shapes) -> float:
    """Values have the outline of earlier ones; before there are any, mostly a digit."""
    if shapes:
        return 1.0 if outline_of(printed.value) in shapes else 0.9
    return 1.0 if any(map(str.isdigit, printed.value)) else 0.85


def _trust(examples: int) -> float:
    """How far so many examples are to be trusted."""
    return (examples + 1) / (examples + 2)


def _found(pages: Pages, by: ByCaption | Placed, score: float, reason: str, *, is_agreed: bool = False) -> FoundValue:
    page = pages.by_number[by.start.page]
    words = page.segment(by.start.line, by.start.word)[: by.printed.words]
    score = round(min(score, _MOST_SCORE), 4)
    return FoundValue(by.printed.value, page.citation(words), score, is_agreed, reason)


def _words_of(by: ByCaption) -> str:
    where = "above" if by.caption.is_above else "before"
    return f"Caption {where} it" + (f" as on {by.support} earlier invoices" if by.support > 1 else "")


def _place_words(seen: Seen) -> str:
    if any(place.value is not None for place in seen.of_vendor):
        return "the place as on earlier invoices of the vendor."
    return "it looks like the values on other invoices."
