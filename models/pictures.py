"""Pictures of pages, for the models that look at them."""

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from models.pretrained import load_image_processor
from serve_app.domain.document import Page


class PagePixels:
    """A page as prepared by a checkpoint's image processor: shape (channels, height, width)."""

    def __init__(self, checkpoint: Path) -> None:
        self._processor = load_image_processor(checkpoint)
        if hasattr(self._processor, "apply_ocr"):
            # Words come from the service's own readers.
            self._processor.apply_ocr = False

    def __call__(self, page: Page) -> npt.NDArray[np.float32]:
        """Raise ValueError for a page without a picture."""
        if page.picture is None:
            raise ValueError(f"page {page.number} has no picture, but the model needs one")
        with Image.open(io.BytesIO(page.picture)) as picture:
            prepared = self._processor(picture.convert("RGB"), return_tensors="np")
        return np.asarray(prepared["pixel_values"][0], np.float32)
