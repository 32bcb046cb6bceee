"""SROIE (Huang et al., 2019): pictures of receipts, lines of text with corners, and four values of each.

A split has `img/X.jpg`, `box/X.txt` (a line of the page: eight coordinates in pixels and the text) and
`entities/X.txt` (JSON with `company`, `date`, `address`, `total`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from models.evaluation.formats.record import Exported, Format, FormatError, Imported, ImportOptions
from models.evaluation.formats.splits import pictures_of, read_json, size_of, splits_of, write_json, write_picture
from models.evaluation.formats.values import truth_of
from serve_app.domain.document import Page, union
from serve_app.domain.reading_order import group_lines

_KEYS = {"company": "vendor_name", "date": "issued_at", "total": "amount"}
_CORNERS = 8


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """Vendor, date and total of each receipt, as far as they are labelled."""
    for set_, folder in splits_of(source, "img", options.name):
        for picture in pictures_of(folder / "img"):
            entities = read_json(folder / "entities" / f"{picture.stem}.txt")
            if not isinstance(entities, dict):
                raise FormatError(f"{folder / 'entities' / picture.stem}.txt is no JSON object")
            texts = {key: entities[name] for name, key in _KEYS.items() if entities.get(name)}
            truth, unclear = truth_of(texts, None, _texts(folder / "box" / f"{picture.stem}.txt"), options.order)
            yield Imported(set_, picture.name, picture.read_bytes(), {**truth, "doc_type": "receipt"}, unclear)


def write(documents: Iterable[Exported], out: Path) -> None:
    """Pictures, lines and the three values that are known; `address` is empty."""
    for each in documents:
        folder = out / each.case.set
        write_picture(folder / "img" / f"{each.stem}.jpg", each.pictures[0])
        boxes = folder / "box" / f"{each.stem}.txt"
        boxes.parent.mkdir(parents=True, exist_ok=True)
        boxes.write_text("\n".join(_lines(each.pages[0], *size_of(each.pictures[0]))) + "\n", encoding="utf-8")
        values = {name: each.text(key) or "" for name, key in _KEYS.items()}
        write_json(folder / "entities" / f"{each.stem}.txt", {**values, "address": ""})


def _texts(path: Path) -> list[str]:
    """The texts of the page, which show how it writes numbers and dates."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return [line.split(",", _CORNERS)[-1] for line in lines if line.count(",") >= _CORNERS]


def _lines(page: Page, width: int, height: int) -> Iterator[str]:
    for line in group_lines([word.box for word in page.words]):
        words = [page.words[index] for index in line]
        box = page.shown(union(word.box for word in words))
        x0, y0, x1, y1 = (round(box.x0 * width), round(box.y0 * height), round(box.x1 * width), round(box.y1 * height))
        yield f"{x0},{y0},{x1},{y0},{x1},{y1},{x0},{y1},{' '.join(word.text for word in words)}"


FORMAT = Format(read, write, single=True)
