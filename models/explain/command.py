"""`invoices explain`: what each model saw, what was in question, and why a value has its level."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from models.chosen import chosen_model
from models.explain.page import html
from models.explain.ranking import ranked_of, shares_of
from models.explain.text import fields_of, lines_of, words_of
from models.explain.word_labels import seen
from models.loading import EXTRACTOR, VERIFIER
from models.pipeline import Pipeline
from serve_app.documents.pictures import draw_page
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document, Page
from serve_app.domain.reading import Reading
from serve_app.domain.user_error import UserError
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.settings.reading import read_settings


@dataclass(frozen=True, slots=True)
class Options:
    """Which file, which of its fields, and where to draw it; `invoices explain --help` explains each."""

    file: Path
    field: str | None = None
    html: Path | None = None
    extractor: str | None = None
    verifier: str | None = None
    calibration: Path | None = None


def run(options: Options) -> None:
    """Print the explanation, and draw it if that is wanted. Raises DocumentError, ModelError, CalibrationError,
    OSError, and UserError for a field that nothing is known of."""
    settings, data = read_settings(), options.file.read_bytes()
    pipeline = Pipeline(
        chosen_model(options.extractor, EXTRACTOR),
        chosen_model(options.verifier, VERIFIER),
        load_calibrations(options.calibration or settings.calibration),
        settings.target_precision,
    )
    reading = settings.read_options()
    document = pipeline.with_pictures(read_document(data, reading), data)
    readings = pipeline.read_models(document)
    sections = pipeline.decide(document, readings)
    known = {name for section in sections for name in fields_of(section, None)}
    if options.field is not None and options.field not in known:
        raise UserError(f"nothing is known of {options.field}; there are {', '.join(sorted(known)) or 'no fields'}")
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for section in sections:
        console.print(
            "\n".join([*lines_of(section, options.field, shares_of(ranked_of(document, readings, section))), ""])
        )
    if options.field is None:
        _print_labels(console, document, readings)
    if options.html is not None:

        def draw(page: Page) -> bytes:
            return draw_page(data, page, reading)

        text = html(options.file.name, document, readings, sections, draw, options.field)
        options.html.write_text(text, encoding="utf-8")
        console.print(f"written: {options.html}")


def _print_labels(console: Console, document: Document, readings: tuple[Reading, Reading]) -> None:
    for name, reading in zip(("extractor", "verifier"), readings, strict=True):
        console.print(f"what the {name} saw")
        for label, words in words_of(seen(document, reading)).items():
            console.print(f"  {label}: {' '.join(words)}")
