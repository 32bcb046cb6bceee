"""Pictures of generated pages: clean, as from a scanner, or as photographed.

For seeing what the models are taught, and for OCR experiments. Training itself needs no pictures.
"""

from random import Random

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from models.training.render import render_pdf
from serve_app.domain.document import Document, Page

Picture = npt.NDArray[np.uint8]
_POINTS_AN_INCH = 72


def page_picture(page: Page, dpi: int = 150) -> Picture:
    """A clean picture of a page, in RGB."""
    file = pdfium.PdfDocument(render_pdf(Document((page,))))
    try:
        return pdf_picture(file[0], dpi)
    finally:
        file.close()


def pdf_picture(page: pdfium.PdfPage, dpi: int) -> Picture:
    """A clean picture of a page of a PDF, in RGB."""
    picture: Picture = page.render(scale=dpi / _POINTS_AN_INCH).to_numpy()[:, :, ::-1]
    return np.ascontiguousarray(picture)


def scanned(picture: Picture, rng: Random) -> Picture:
    """The page as from an office scanner: a little skewed, soft, grainy, often grey or thresholded like a fax."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.gauss(0, 0.7), 1.0)
    skewed = cv2.warpAffine(picture, turn, (width, height), borderValue=(252, 252, 252)).astype(np.uint8)
    return scanned_straight(skewed, rng)


def scanned_straight(picture: Picture, rng: Random) -> Picture:
    """The page as from an office scanner that takes it in straight: what stood at a place still stands there."""
    result = _grainy(_soft(_toned(picture, rng, 0.94), rng, 0.7), rng, 5)
    if rng.random() < 0.2:
        grey = cv2.cvtColor(result, cv2.COLOR_RGB2GRAY)
        _, black = cv2.threshold(grey, rng.uniform(140, 200), 255, cv2.THRESH_BINARY)
        return _compressed(cv2.cvtColor(black, cv2.COLOR_GRAY2RGB).astype(np.uint8), 80)
    return _compressed(result, rng.randint(50, 85))


def photographed(picture: Picture, rng: Random) -> Picture:
    """The page as photographed by a phone: on a table, in perspective, unevenly lit, with a shadow."""
    picture = _toned(picture, rng, 0.88)
    height, width = picture.shape[:2]
    margin = int(min(width, height) * rng.uniform(0.05, 0.2))
    size = (width + 2 * margin, height + 2 * margin)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    reach = 0.5 * margin
    moved = corners + margin + np.array([[rng.uniform(-reach, reach) for _ in "xy"] for _ in corners], np.float32)
    warp = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    dark = rng.randint(35, 150)
    table = (dark + rng.randint(0, 30), dark + rng.randint(0, 12), dark - rng.randint(0, 25))
    result = cv2.warpPerspective(picture, warp, size, borderValue=table).astype(np.uint8)
    return _compressed(_grainy(_soft(_lit(result, rng), rng, 1.2), rng, 7), rng.randint(35, 75))


def _toned(picture: Picture, rng: Random, least: float) -> Picture:
    """On paper that is not quite white, in ink that is not quite black."""
    warm = rng.uniform(-0.2, 1.0) * (1 - least)
    tone = np.array([1.0, 1 - warm / 3, 1 - warm]) * rng.uniform(least, 1.0)
    ink = rng.uniform(0, 70)
    return ((ink + picture * ((255 - ink) / 255)) * tone).astype(np.uint8)


def _soft(picture: Picture, rng: Random, most: float) -> Picture:
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.2, most)).astype(np.uint8)


def _grainy(picture: Picture, rng: Random, most: float) -> Picture:
    grain = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(0.5, most), picture.shape[:2])
    return np.clip(picture + grain[:, :, None], 0, 255).astype(np.uint8)


def _lit(picture: Picture, rng: Random) -> Picture:
    """Light from one side, and the soft edge of a shadow."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1 - 0.18 * (1 + rng.uniform(-1, 1) * x + rng.uniform(-1, 1) * y) / 2
    edge = rng.uniform(-1, 1) * x + rng.uniform(-1, 1) * y - rng.uniform(0.2, 1.2)
    shadow = 1 - rng.uniform(0.1, 0.35) / (1 + np.exp(-edge * 12))
    return np.clip(picture * (light * shadow)[:, :, None], 0, 255).astype(np.uint8)


def _compressed(picture: Picture, quality: int) -> Picture:
    """As it looks after JPEG."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
