"""Figures in a documentation page, between two marks, so that one command can update them."""

from collections.abc import Sequence
from pathlib import Path

from models.evaluation.grid import Grid
from serve_app.domain.user_error import UserError

BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


class PageError(UserError):
    """A page without the marks."""


def fill_page(page: Path, head: str, tables: Sequence[Grid]) -> None:
    """Replace the text between the marks of `page`; raise PageError if it has none."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise PageError(f"{page} has no {BEGIN} ... {END}")
    body = "\n\n".join([head, *(table.markdown().strip() for table in tables)])
    page.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}", encoding="utf-8")
