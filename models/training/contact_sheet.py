"""`invoices data sheet`: forty generated pages in one picture, to see what the models are taught.

With `--labels` every labelled word has a colour; `--families` picks families by name.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np

from models.training.generator.compose import draw
from models.training.generator.core.profile import Profile
from models.training.generator.families import FAMILIES
from models.training.picture import Picture, page_picture, photographed, scanned
from models.training.sample import Sample
from serve_app.domain.labels import OUTSIDE, Label

COLUMNS, ROWS = 8, 5
CELL = (290, 380)
_GROUND = (232, 234, 238)
_QUALITY = 70


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(prog="invoices data sheet", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=Path("docs/pictures/generator.jpg"))
    parser.add_argument("--labels", action="store_true", help="colour the labelled words")
    parser.add_argument("--families", nargs="*", default=[], help="names of layout families")
    parser.add_argument("--columns", type=int, default=COLUMNS)
    parser.add_argument("--zoom", type=float, default=1.0, help="size of the cells")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = options.families or _mixed(options.seed, COLUMNS * ROWS)
    size = (int(CELL[0] * options.zoom), int(CELL[1] * options.zoom))
    cells = [cell(name, options.seed, size, coloured=options.labels) for name in names]
    options.file.parent.mkdir(parents=True, exist_ok=True)
    picture = cv2.cvtColor(sheet(cells, options.columns), cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(options.file), picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])


def _mixed(seed: int, count: int) -> list[str]:
    """Different families in a random order."""
    return Random(seed).sample(sorted(FAMILIES), count)


def cell(name: str, seed: int, size: tuple[int, int], *, coloured: bool) -> Picture:
    """The first page of a family's document, fitted into a cell; some are scans or photographs."""
    rng = Random(f"sheet/{name}/{seed}")
    sample = draw(FAMILIES[name], rng, Profile.EXTRACTOR, noisy=False)
    picture = page_picture(sample.document.pages[0])
    if coloured:
        return _fitted(_coloured(picture, sample), size)
    return _fitted(rng.choice((_same, scanned, photographed))(picture, rng), size)


def _same(picture: Picture, _rng: Random) -> Picture:
    return picture


def _coloured(picture: Picture, sample: Sample) -> Picture:
    """Words of the same label get the same colour behind them."""
    height, width = picture.shape[:2]
    shades = {label: _shade(index) for index, label in enumerate(Label)}
    result = picture.copy()
    for word, tag in zip(sample.document.pages[0].words, sample.tags[0], strict=True):
        if tag != OUTSIDE:
            start = int(word.box.x0 * width), int(word.box.y0 * height)
            end = int(word.box.x1 * width), int(word.box.y1 * height)
            cv2.rectangle(result, start, end, shades[Label(tag[2:])], -1)
    return np.minimum(picture, result)


def _shade(index: int) -> tuple[int, int, int]:
    colour = cv2.cvtColor(np.array([[[index * 53 % 180, 120, 255]]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
    return int(colour[0]), int(colour[1]), int(colour[2])


def _fitted(picture: Picture, size: tuple[int, int]) -> Picture:
    """The picture in the middle of a cell, as large as fits."""
    width, height = size
    scale = min((width - 8) / picture.shape[1], (height - 8) / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    result = np.full((height, width, 3), _GROUND, np.uint8)
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    result[top : top + small.shape[0], left : left + small.shape[1]] = small
    return result


def sheet(cells: Sequence[Picture], columns: int) -> Picture:
    """The cells in rows."""
    empty = np.full_like(cells[0], _GROUND)
    padded = [*cells, *[empty] * (-len(cells) % columns)]
    rows = [np.hstack(padded[start : start + columns]) for start in range(0, len(padded), columns)]
    return np.vstack(rows).astype(np.uint8)


if __name__ == "__main__":
    main()
