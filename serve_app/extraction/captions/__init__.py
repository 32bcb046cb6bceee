"""What the captions around a value say it is: evidence that does not depend on the models."""

from serve_app.extraction.captions.attach import Captions, PageCaptions
from serve_app.extraction.captions.lexicon import Meanings
from serve_app.extraction.knowledge import Caption

__all__ = ["Caption", "Captions", "Meanings", "PageCaptions"]
