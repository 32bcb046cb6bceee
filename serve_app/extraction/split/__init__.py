"""Where one invoice of a file ends and the next begins."""

from serve_app.extraction.split.split import Part, split

__all__ = ["Part", "split"]
