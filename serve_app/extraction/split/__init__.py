"""Where one invoice of a file ends and the next begins."""

from serve_app.extraction.split.split import Part, begin_chances, split

__all__ = ["Part", "begin_chances", "split"]
