"""Tells pictures of documents from logos and banners by what is in them."""

from io import BytesIO

from PIL import Image

from serve_app.documents.images.colours import to_rgb
from serve_app.documents.images.decode import decode
from serve_app.documents.images.ink import find_ink
from serve_app.documents.images.picture import Picture
from serve_app.documents.mail.evidence import shows_a_document
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import HEIC, JPEG, PNG, sniff
from serve_app.domain.errors import DocumentError

MOST_READ = 8
"""Pictures of a mail that are read to find out what they are: each takes about a second."""
_MOST_PIXELS = 4_000_000
"""Those in doubt are small; a larger one that is in doubt for its shape is read smaller."""
_FORMATS = ("GIF", "BMP", "TIFF", "WEBP")
_POINTS = 842.0


class PictureClassifier:
    """For the pictures of one mail."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._left = MOST_READ

    def shows_a_document(self, data: bytes) -> bool:
        """Whether the picture has the text of an invoice or a receipt. One without enough marks for a few lines is not
        read; nor is any after MOST_READ, or one that is damaged: these show none."""
        picture = self._decoded(data)
        if picture is None or find_ink(picture) is None or self._left == 0:
            return False
        self._left -= 1
        return shows_a_document(self._text(picture))

    def _decoded(self, data: bytes) -> Picture | None:
        try:
            if sniff(data) in {JPEG, PNG, HEIC}:
                return _small(Image.fromarray(decode(data, self._options.limits.max_pixels)))
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                is_large = image.width * image.height > self._options.limits.max_pixels
                return None if is_large else _small(Image.fromarray(to_rgb(image)))
        except (DocumentError, MemoryError):
            return None
        except Exception:  # The decoders can raise anything.
            return None

    def _text(self, picture: Picture) -> str:
        # It loads the networks, which most mails do not need.
        from serve_app.documents.ocr.page import read_page

        height, width = picture.shape[:2]
        point = _POINTS / max(height, width)
        page = read_page(picture, 1, width * point, height * point, self._options)
        return " ".join(word.text for word in page.words)


def _small(image: Image.Image) -> Picture:
    factor = int((image.width * image.height / _MOST_PIXELS) ** 0.5) + 1
    return to_rgb(image if factor == 1 else image.reduce(factor))
