"""Read an HTML file as a document."""

from dataclasses import replace

from serve_app.documents.html.charset import decode
from serve_app.documents.html.markup import simplify
from serve_app.documents.html.render import render
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Document


def read_html(data: bytes, options: ReadOptions) -> Document:
    """The text that a browser without network and scripts would show, as pages of words.

    Raise DocumentError for markup that exceeds the caps or cannot be laid out.
    """
    rendering = render(simplify(decode(data)), options.limits)
    pages = read_text_layer(rendering.pdf, options.limits)
    return Document(tuple(replace(page, runs_on=page.number in rendering.run_on) for page in pages))
