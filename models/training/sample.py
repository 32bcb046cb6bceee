"""One synthetic document with the right answer for every word."""

from dataclasses import dataclass, field

from serve_app.domain.document import Document
from serve_app.domain.invoice import Extraction


@dataclass(frozen=True, slots=True)
class Sample:
    """A generated document.

    `tags` runs parallel to `document.pages` and their words (IOB2 tags, `serve_app.domain.labels.TAGS`). `truth` holds
    the values that a person reads on it; all of them are None on a page that is no invoice. `family` names the layout
    family: whole families are held out for validation. `brand`: a second name of the issuer, as correct as
    `truth.vendor_name`.
    """

    document: Document
    tags: tuple[tuple[str, ...], ...]
    truth: Extraction
    family: str
    language: str
    is_invoice: bool = field(default=True)
    brand: str = ""
