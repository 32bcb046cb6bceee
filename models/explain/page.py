"""The explanation of a document as one HTML file, with pictures of its pages."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from models.explain.text import fields_of, level_of, reason_of, value_of
from models.explain.word_labels import SeenWord, seen
from serve_app.domain.batch import Section
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading

_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
# Colours of labels: as far apart as so many can be.
_HUES = {label.value: round(360 * number / len(Label)) for number, label in enumerate(Label)}


@dataclass(frozen=True, slots=True)
class _Shown:
    page: Page
    picture: str
    models: dict[str, Sequence[SeenWord]]


def html(
    name: str,
    document: Document,
    readings: tuple[Reading, Reading],
    sections: Sequence[Section],
    draw: Callable[[Page], bytes],
    requested: str | None = None,
) -> str:
    """One file that needs nothing else; `draw` makes the picture (PNG) of a page."""
    first, second = (seen(document, reading) for reading in readings)
    shown = [
        _Shown(page, base64.b64encode(draw(page)).decode(), {"extractor": one, "verifier": other})
        for page, one, other in zip(document.pages, first, second, strict=True)
    ]
    return _TEMPLATES.get_template("page.html").render(
        name=name,
        shown=shown,
        sections=[(section, fields_of(section, requested)) for section in sections],
        revisions={"extractor": readings[0].revision, "verifier": readings[1].revision},
        hues=_HUES,
        value_of=value_of,
        level_of=level_of,
        reason_of=reason_of,
    )
