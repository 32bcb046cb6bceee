"""Donut (Kim et al., 2022): pictures, and the JSON that the model is to write of each.

A split has `metadata.jsonl`: `file_name`, and `ground_truth`, a text with the JSON object `{"gt_parse": {...}}`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from models.evaluation.formats import cord
from models.evaluation.formats.record import CELLS, Exported, Format, FormatError, Imported, ImportOptions
from models.evaluation.formats.splits import METADATA, append_line, read_file, read_lines, splits_of, write_picture
from models.evaluation.formats.values import LABELS, truth_of

_HEADER = tuple(key for key in LABELS if key not in CELLS)


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """What the model is to write, in our keys or in those of CORD."""
    for set_, folder in splits_of(source, METADATA, options.name):
        for place, entry in read_lines(folder / METADATA):
            try:
                header, rows, kind = _texts(json.loads(entry["ground_truth"])["gt_parse"])
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise FormatError(
                    f"{place}: no ground_truth with a gt_parse ({type(error).__name__} {error})"
                ) from error
            data = read_file(folder, entry.get("file_name"), place)
            truth, unclear = truth_of(header, rows, (), options.order)
            yield Imported(set_, PurePath(str(entry["file_name"])).name, data, {**truth, "doc_type": kind}, unclear)


def write(documents: Iterable[Exported], out: Path) -> None:
    """Pictures, and the values as printed: the service looks for what the model writes among the words of the page."""
    for each in documents:
        folder, name = out / each.case.set, f"{each.stem}.png"
        write_picture(folder / name, each.pictures[0])
        parse: dict[str, Any] = {key: text for key in _HEADER if (text := _printed(each, key)) is not None}
        if rows := each.rows():
            parse["line_items"] = rows
        if kind := each.truth.get("doc_type"):
            parse["doc_type"] = kind
        append_line(
            folder / METADATA,
            {"file_name": name, "ground_truth": json.dumps({"gt_parse": parse}, ensure_ascii=False)},
        )


def _printed(document: Exported, key: str) -> str | None:
    """A currency by its code, because its sign may be that of several."""
    return document.truth.get(key) if key == "currency" else document.text(key)


def _texts(parse: Mapping[str, Any]) -> tuple[dict[str, str | None], list[dict[str, str]] | None, str | None]:
    """Texts of the header and of the rows, and the kind of document."""
    if "menu" in parse or "total" in parse:
        found = {key: _at(parse, path) for path, key in cord.SUMS.items()}
        menu = _list(parse.get("menu"))
        return (
            found,
            [_row(row, {path.partition(".")[2]: key for path, key in cord.CELLS.items()}) for row in menu],
            "receipt",
        )
    header = {key: _text(parse[key]) for key in _HEADER if key in parse}
    rows = _list(parse.get("line_items")) if "line_items" in parse else None
    cells = {cell: cell for cell in CELLS}
    return header, None if rows is None else [_row(row, cells) for row in rows], parse.get("doc_type")


def _at(parse: Mapping[str, Any], path: str) -> str | None:
    group, _, key = path.partition(".")
    return _text((_list(parse.get(group)) or [{}])[0].get(key))


def _list(value: Any) -> list[Any]:
    """One object may stand for a list of one."""
    return value if isinstance(value, list) else [value] if value else []


def _row(row: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, str]:
    return {ours: text for theirs, ours in keys.items() if (text := _text(row.get(theirs))) is not None}


def _text(value: Any) -> str | None:
    """A value may be printed in several places: the first counts."""
    first = value[0] if isinstance(value, list) and value else value
    return None if first in (None, "", []) else str(first)


FORMAT = Format(read, write, single=True, upright=True)
