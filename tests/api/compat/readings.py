"""What the service reads in the samples: `readings.json` has the answers of `invoices extract samples/*`."""

import json
from pathlib import Path

from serve_app.domain.batch import Section
from serve_app.domain.invoice import Extraction

SAMPLES = Path(__file__).parents[3] / "samples"
_READINGS = json.loads((Path(__file__).parent / "readings.json").read_text())
NAMES = tuple(_READINGS)


def sections_of(name: str) -> list[Section]:
    """The invoices of a sample, with the pages that they have in its file."""
    return [_section(read) for read in _READINGS[name]]


def _section(read: dict[str, object]) -> Section:
    place = read["batch"] or {"first_page": 1, "last_page": read["pages"]}
    extraction = Extraction.model_validate(
        {field: value for field, value in read.items() if field in Extraction.model_fields and field != "batch"}
    )
    return Section(place["first_page"], place["last_page"], extraction)  # type: ignore[index]
