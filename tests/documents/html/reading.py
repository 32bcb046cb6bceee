"""What the tests of HTML ask for."""

from serve_app.documents.html import read_html
from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document


def read(markup: str | bytes, max_pages: int = 200) -> Document:
    data = markup if isinstance(markup, bytes) else markup.encode()
    return read_html(data, ReadOptions(limits=Limits(max_pages=max_pages)))


def text_of(markup: str | bytes) -> str:
    return " ".join(word.text for page in read(markup).pages for word in page.words)
