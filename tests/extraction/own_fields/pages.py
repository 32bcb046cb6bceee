"""Pages drawn for own fields: texts at places, in units of evidence."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from serve_app.domain.evidence import Evidence, PageWords
from serve_app.domain.invoice import CustomValue
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.extraction.own_fields.learn import place_of
from serve_app.extraction.own_fields.page_lines import Pages

_LETTER, _HEIGHT = 80, 120


def draw(*texts: tuple[int, int, str], page: int = 1) -> PageWords:
    """A page with these texts (left, top, text), given in the order of reading."""
    words, boxes = [], []
    for left, top, text in texts:
        x = left
        for word in text.split():
            words.append(word)
            boxes += [x, top, x + _LETTER * len(word), top + _HEIGHT]
            x += _LETTER * (len(word) + 1)
    return PageWords(page, 595, 842, " ".join(words), tuple(boxes))


def invoice(plate: str, *more: tuple[int, int, str], caption: str = "Car:", rows: int = 0) -> Evidence:
    """An invoice of a garage, with so many rows more above the plate."""
    top = 3000 + 200 * rows
    lines = [(500, 400, "Garage Holm"), (500, 1000, "Invoice 4711"), (6000, 1000, "Date 3.4.2026")]
    lines += [(500, 2000 + 200 * row, f"Work {row} 5.00") for row in range(rows + 3)]
    lines += [
        (500, top, "Mechanic in charge"),
        (500, top + 200, f"{caption} {plate}"),
        (500, top + 400, "Mileage below"),
    ]
    return Evidence((draw(*lines, *more),))


def field(name: str = "plate", label: str = "Licence plate", **more: Any) -> OwnField:
    return OwnField(name=name, label=label, **{"type": OwnFieldType.TEXT, **more})


def taught(evidence: Evidence, values: Mapping[str, str | None], vendor: str = "holm") -> OwnFieldExample:
    """What an invoice teaches on which somebody has entered these values, printed once."""
    pages = Pages(evidence)
    places = {name: place_of(pages, CustomValue(value=value)) for name, value in values.items()}
    return OwnFieldExample(uuid4(), (f"name:{vendor}",), places)


def plates(*values: str, vendor: str = "holm", caption: str = "Car:") -> Sequence[OwnFieldExample]:
    """What several invoices of a vendor teach about the plate."""
    return [
        taught(invoice(value, caption=caption, rows=rows), {"plate": value}, vendor)
        for rows, value in enumerate(values)
    ]
