"""Pictures of labelled pages, for networks that look at them: the words alone are kept, so pages are drawn anew."""

from collections.abc import Callable
from dataclasses import replace

import cv2

from models.training.labelled import Labelled, LabelledDocument
from models.training.picture import page_picture
from serve_app.documents.pictures import LONG_SIDE
from serve_app.domain.document import Document, Page

_POINTS_AN_INCH = 72


def drawn(generate: Callable[[int], Labelled]) -> Callable[[int], Labelled]:
    """The same documents with pictures."""

    def generate_drawn(seed: int) -> Labelled:
        sample = generate(seed)
        return LabelledDocument(with_drawings(sample.document), sample.tags)

    return generate_drawn


def with_drawings(document: Document) -> Document:
    """The document with a picture of every page, as large and grey as the service draws them."""
    return replace(document, pages=tuple(replace(page, picture=_png(page)) for page in document.pages))


def _png(page: Page) -> bytes:
    dpi = _POINTS_AN_INCH * LONG_SIDE / max(page.width, page.height)
    grey = cv2.cvtColor(page_picture(page, round(dpi)), cv2.COLOR_RGB2GRAY)
    return cv2.imencode(".png", grey)[1].tobytes()
