"""Where one invoice of a file ends and the next begins."""

from serve_app.extraction.split.shared_pages import PageCut
from serve_app.extraction.split.split import Part, split

__all__ = ["PageCut", "Part", "split"]
