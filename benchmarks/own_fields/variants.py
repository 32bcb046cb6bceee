"""Further invoices of a vendor, made of the words of one: other values, and what is below moved down."""

from random import Random

import msgspec

from serve_app.domain.evidence import Evidence, PageWords

NAMES = ("Ines Falk", "Per Lunde", "Ms. Ada Moreau", "T. Okafor", "Jana Vrba", "R. Castellan")
_STEP = 140
"""By how much a row moves what is below it, in `evidence.UNITS`: that of a page has about seventy lines."""


def variant(evidence: Evidence, texts: dict[tuple[int, int], str], number: int, seed: str) -> Evidence:
    """The invoice with other words at these places (page, index of the word), and with up to two rows more somewhere on
    each page; 0: as it is."""
    rng = Random(f"{seed} {number}")  # noqa: S311 - the same invoices for everybody
    pages = [_changed(page, texts, rng, number % 3 if number else 0) for page in evidence.pages]
    return Evidence(tuple(pages))


def _changed(page: PageWords, texts: dict[tuple[int, int], str], rng: Random, rows: int) -> PageWords:
    words = [texts.get((page.page, index), word) for index, word in enumerate(page.words)]
    # Most invoices grow in their middle, where the items are.
    begin = rng.randrange(3_000, 6_000)
    boxes = list(page.boxes)
    for at in range(0, len(boxes), 4):
        if boxes[at + 1] > begin:
            boxes[at + 1] += rows * _STEP
            boxes[at + 3] += rows * _STEP
    return msgspec.structs.replace(page, texts=" ".join(words), boxes=tuple(boxes))


def another(name: str, words: list[str], number: int, seed: str) -> list[str]:
    """A value of the same kind in as many words: another name, another day of the month, or other digits and capital
    letters."""
    rng = Random(f"{seed} {name} {number}")  # noqa: S311
    if name == "contact":
        given = NAMES[number % len(NAMES)].split()
        return [*given[: len(words) - 1], " ".join(given[len(words) - 1 :]).replace(" ", "-")] if words else []
    if name == "delivery_date":
        return [_another_day(word, number) for word in words]
    return ["".join(_other(character, at, rng) for at, character in enumerate(word)) for word in words]


def _another_day(word: str, number: int) -> str:
    """The part of the word that is the day, changed: the last one of ISO dates, else the first."""
    mark = next((mark for mark in ".-/" if mark in word), None)
    if mark is None:
        return str(10 + (int(word) + number) % 18) if word.isdigit() and len(word) < 3 else word
    parts = word.split(mark)
    at = len(parts) - 1 if len(parts[0]) == 4 else 0
    parts[at] = str(10 + (int(parts[at]) + number) % 18)
    return mark.join(parts)


def _other(character: str, at: int, rng: Random) -> str:
    if character.isdigit():
        return rng.choice("123456789") if at == 0 else rng.choice("0123456789")
    return rng.choice("ABCEFHKLMNPRST") if character.isascii() and character.isupper() else character
