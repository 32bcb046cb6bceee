"""What a reader call tells."""

from datetime import timedelta

from serve_app.documents.slices import SliceRead
from serve_app.documents.sniff import HTML, PDF, XML, sniff
from serve_app.domain.clock import utc_now
from serve_app.domain.document import TextSource
from serve_app.telemetry.meter import count, observe
from serve_app.telemetry.series import PAGES, STAGE_SECONDS
from serve_app.telemetry.tracer import note


def note_read(read: SliceRead, data: bytes, seconds: float) -> None:
    """Note the pages of a file, by how they were read, and the `seconds` that it took."""
    observe(STAGE_SECONDS, seconds - read.ocr_seconds, stage="read")
    if read.ocr_seconds:
        observe(STAGE_SECONDS, read.ocr_seconds, stage="ocr")
        now = utc_now()
        # Of several pages in one go; the other work between them is left out.
        note("ocr", now - timedelta(seconds=read.ocr_seconds), now)
    by_ocr = "scan" if sniff(data) in {PDF, HTML, XML} else "photo"
    for page in read.document.pages:
        count(PAGES, kind=by_ocr if page.source is TextSource.OCR else "text")
