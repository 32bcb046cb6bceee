"""Which documents are sent."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

_SAMPLES = Path(__file__).parents[2] / "samples"


@dataclass(frozen=True, slots=True)
class Document:
    """A sample of one page."""

    name: str
    data: bytes


_TEXT, _SCAN, _PHOTO = (
    Document(name, (_SAMPLES / name).read_bytes()) for name in ("invoice.pdf", "scan.jpg", "photo.heic")
)
MIXES = {
    "text": ((_TEXT, 1.0),),
    "scans": ((_SCAN, 1.0),),
    "mix": ((_TEXT, 0.7), (_SCAN, 0.2), (_PHOTO, 0.1)),
}
"""By name: the documents and their shares."""
SCANS = {"text": 0.0, "scans": 1.0, "mix": 0.3}
"""The share of pages that are pictures."""


def documents(mix: str, count: int, seed: int = 1) -> list[Document]:
    """So many documents of a mix, in an order that does not change. Their shares are exact, as far as whole numbers
    can be."""
    every = [document for document, share in MIXES[mix] for _ in range(round(share * count))]
    Random(seed).shuffle(every)  # noqa: S311 - an order, no secret
    return every
