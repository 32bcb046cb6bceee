"""Which of the values on a page is that of a field, judged by models, captions and the page."""

from serve_app.extraction.ranking.options import Option
from serve_app.extraction.ranking.rank import Ranked, rank

__all__ = ["Option", "Ranked", "rank"]
