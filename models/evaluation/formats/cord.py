"""CORD (Park et al., 2019): pictures of receipts with the words of each line item and sum.

A split has `image/X.png` and `json/X.json`: `valid_line` lists lines of words with a category such as `menu.nm` or
`total.total_price`; lines of one item share a `group_id`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from models.evaluation.formats.record import UNLABELLED, Exported, Format, FormatError, Imported, ImportOptions, Printed
from models.evaluation.formats.splits import pictures_of, read_json, size_of, splits_of, write_json, write_picture
from models.evaluation.formats.values import truth_of, without
from serve_app.domain.document import Box

SUMS = {"total.total_price": "amount", "sub_total.tax_price": "tax"}
CELLS = {"menu.nm": "description", "menu.cnt": "quantity", "menu.unitprice": "unit_price"}
_CATEGORIES = {key: category for category, key in (SUMS | CELLS).items()}


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """Total, tax and line items of each receipt."""
    for set_, folder in splits_of(source, "image", options.name):
        for picture in pictures_of(folder / "image"):
            file = folder / "json" / f"{picture.stem}.json"
            try:
                content = read_json(file)
                sums, rows, every = _texts(content["valid_line"])
                known = without(sums, rows, content.get("meta", {}).get(UNLABELLED, ()))
            except (LookupError, TypeError, AttributeError) as error:
                raise FormatError(f"{file} is not as CORD describes it: {type(error).__name__} {error}") from error
            truth, unclear = truth_of(*known, every, options.order)
            yield Imported(set_, picture.name, picture.read_bytes(), {**truth, "doc_type": "receipt"}, unclear)


def write(documents: Iterable[Exported], out: Path) -> None:
    """Pictures, and a line for each value that the page prints."""
    for each in documents:
        folder, picture = out / each.case.set, each.pictures[0]
        write_picture(folder / "image" / f"{each.stem}.jpg", picture)
        width, height = size_of(picture)
        lines = [_line(each, value, width, height) for value in each.printed if value.key in _CATEGORIES]
        meta = {
            "version": "2.0",
            "split": each.case.set,
            "image_size": {"width": width, "height": height},
            UNLABELLED: each.unlabelled(),
        }
        content = {"valid_line": lines, "meta": meta, "roi": {}, "repeating_symbol": [], "dontcare": []}
        write_json(folder / "json" / f"{each.stem}.json", content)


def _texts(lines: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str | None], list[dict[str, str]], list[str]]:
    """The texts of sums (None: not on the receipt), of the rows, and all."""
    sums: dict[str, str | None] = dict.fromkeys(SUMS.values())
    rows: defaultdict[int, dict[str, str]] = defaultdict(dict)
    every = []
    for line in lines:
        text = " ".join(word["text"] for word in line["words"] if not word.get("is_key"))
        every.append(text)
        category = line["category"]
        if category in SUMS:
            sums[SUMS[category]] = text
        elif category in CELLS:
            row = rows[line["group_id"]]
            row[CELLS[category]] = f"{row.get(CELLS[category], '')} {text}".strip()
    return sums, [rows[group] for group in sorted(rows)], every


def _line(document: Exported, value: Printed, width: int, height: int) -> dict[str, Any]:
    page = document.pages[value.page]
    words = [
        {"quad": _quad(page.shown(page.words[index].box), width, height), "is_key": 0, "row_id": 0,
         "text": page.words[index].text}
        for index in value.words
    ]  # fmt: skip
    return {"words": words, "category": _CATEGORIES[value.key], "group_id": _group(value)}


def _group(value: Printed) -> int:
    """Sums are no rows, and have groups of their own."""
    return value.row if value.row is not None else -1 - list(SUMS.values()).index(value.key)


def _quad(box: Box, width: int, height: int) -> dict[str, int]:
    x0, y0, x1, y1 = round(box.x0 * width), round(box.y0 * height), round(box.x1 * width), round(box.y1 * height)
    return {"x1": x0, "y1": y0, "x2": x1, "y2": y0, "x3": x1, "y3": y1, "x4": x0, "y4": y1}


FORMAT = Format(read, write, single=True)
