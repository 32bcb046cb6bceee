"""HTML files as pages of words."""

from serve_app.documents.html.document import read_html

__all__ = ["read_html"]
