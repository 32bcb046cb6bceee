"""Label the words of a document by what was found on it. Uncertain words are unknown (`?`)."""

import re
from collections.abc import Sequence

from models.training.templates.find_facts import Found
from models.training.templates.find_values import Sheet, Spot
from models.training.templates.places import Places, caption_of
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label

_DESCRIPTION = frozenset({Label.LINE_DESCRIPTION})
_DUE = re.compile(r"\bdue|balance|payable|outstanding|zahlbetrag|zuzahlen|zapłaty|payer|pagar|pagare|úhradě|restant")
_NET = re.compile(r"sub|net|zwischen|excl|before|without|wo\b|mezi|suma|ht\b|base|imponible|goods|woskonto|items")


def learn(places: Places, sheets: Sequence[Sheet], found: Found) -> None:
    """Teach `places` with all unambiguous amounts of a document."""
    for spot, labels in found.sums:
        if len(labels) == 1:
            places.learn_caption(caption_of(sheets[spot.page], spot), next(iter(labels)))
    for place, row in found.rows.items():
        cells = [*row, (found.items[place], _DESCRIPTION)]
        sure = sorted((spot.box.x0, next(iter(labels))) for spot, labels in cells if len(labels) == 1)
        places.learn_row([label for _, label in sure])


def decide(places: Places, sheets: Sequence[Sheet], found: Found) -> None:
    """Give every amount its label, or none if its place is not conclusive."""
    for spot, labels in found.sums:
        label = _sum_label(places, caption_of(sheets[spot.page], spot), labels)
        if label is None:
            found.unknown |= {(spot.page, word) for word in spot.words}
        else:
            found.entities.append((label, spot))
    for place, row in found.rows.items():
        _decide_row(places, found.items[place], row, found)


def _sum_label(places: Places, caption: str, labels: frozenset[Label]) -> Label | None:
    if labels == {Label.SUBTOTAL, Label.TOTAL}:
        label: Label | None = places.role(caption, labels)
        label = label or (Label.SUBTOTAL if _NET.search(caption) else Label.TOTAL)
    else:
        label = next(iter(labels)) if len(labels) == 1 else places.role(caption, labels)
    if label is Label.TOTAL and "total" not in caption and _DUE.search(caption):
        return Label.AMOUNT_DUE
    # Some programs print the sum with tax as their subtotal.
    return None if label is Label.TOTAL and caption.split(" ")[0].startswith("sub") else label


def _decide_row(places: Places, item: Spot, row: list[tuple[Spot, frozenset[Label]]], found: Found) -> None:
    """Columns in the template's order; amounts that are more than one thing are taken in that order, too."""
    cells = sorted([*row, (item, _DESCRIPTION)], key=lambda cell: cell[0].box.x0)
    choice = _assign(places, [frozenset(filter(places.has_column, labels)) for _, labels in cells])
    if choice is None:
        found.unknown |= {(spot.page, word) for spot, labels in row if labels for word in spot.words}
        return
    for (spot, labels), label in zip(cells, choice, strict=True):
        if label is None and labels:
            found.unknown |= {(spot.page, word) for word in spot.words}
        elif label is not None and spot is not item:
            found.entities.append((label, spot))
    extra = [spot for spot, labels in row if not labels]
    if Label.LINE_TOTAL not in choice and len(extra) == 1:
        found.entities.append((Label.LINE_TOTAL, extra[0]))


def _assign(places: Places, cells: Sequence[frozenset[Label]]) -> list[Label | None] | None:
    """One label per cell, each label once, in the template's order; None if that is not clear.

    Cells may stay without: a row's number looks like its quantity, and where there is no tax, two
    columns show the same sums. Then as many cells as can be have a label, those on the left first.
    """
    ways: list[list[Label | None]] = [[]]
    for labels in cells:
        ways = [[*way, label] for way in ways for label in (*sorted(labels), None) if label is None or label not in way]
    known = [[label for label in way if label] for way in ways]
    most = max(map(len, known))
    full = [way for way, labels in zip(ways, known, strict=True) if len(labels) == most]
    if len(full) == 1:
        return full[0]
    fitting = [way for way in full if places.in_order([label for label in way if label])]
    return min(fitting, key=lambda way: [label is None for label in way], default=None)


def tags_of(sheets: Sequence[Sheet], found: Found) -> list[list[str]]:
    """IOB2 tags of all words."""
    tags = [[OUTSIDE] * len(sheet.page.words) for sheet in sheets]
    for page, word in found.unknown:
        tags[page][word] = UNKNOWN
    for label, spot in found.entities:
        first = min(spot.words)
        for word in spot.words:
            tags[spot.page][word] = f"{'B' if word == first else 'I'}-{label}"
    return tags
