"""Hugging Face `datasets`: folders of pictures that `load_dataset("imagefolder", data_dir=...)` loads.

A split has `metadata.jsonl`; in each line `file_names` (or `file_name`) names the pictures of the pages. All lines have
the same columns, as `datasets` asks for.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

from models.evaluation.formats.record import CELLS, Exported, Format, FormatError, Imported, ImportOptions
from models.evaluation.formats.splits import (
    METADATA,
    append_line,
    bound,
    read_file,
    read_lines,
    splits_of,
    write_picture,
)

_HEADER = ("doc_type", "vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax")
_MORE = "more"
"""The column with the rest of a truth, as JSON: further accepted values, and which keys are known."""


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """The values of each line; pages of one document become a PDF."""
    for set_, folder in splits_of(source, METADATA, options.name):
        for place, entry in read_lines(folder / METADATA):
            names = entry.get("file_names") or [name for name in [entry.get("file_name")] if name]
            if not isinstance(names, list) or not names:
                raise FormatError(f"{place} has neither file_names nor file_name")
            pages = [read_file(folder, name, place) for name in names]
            name = PurePath(str(names[0]))
            one = len(pages) == 1
            yield Imported(
                set_, name.name if one else f"{name.stem}.pdf", pages[0] if one else bound(pages), _truth(entry, place)
            )


def write(documents: Iterable[Exported], out: Path) -> None:
    """The pictures of all pages, and a line for each document."""
    for each in documents:
        folder = out / each.case.set
        names = [f"{each.stem}-{number}.jpg" for number in range(1, len(each.pictures) + 1)]
        for name, picture in zip(names, each.pictures, strict=True):
            write_picture(folder / name, picture)
        append_line(folder / METADATA, {"file_names": names, **_columns(each)})


def _columns(document: Exported) -> dict[str, Any]:
    """Texts only, so that every line has the same types."""
    truth = document.truth
    rows = [{cell: _text(row.get(cell)) for cell in CELLS} for row in truth.get("line_items") or []]
    more = {key: value for key, value in truth.items() if key not in (*_HEADER, "line_items")}
    known = [key for key in (*_HEADER, "line_items") if key in truth]
    return {
        **{key: _text(truth.get(key)) for key in _HEADER}, "line_items": rows,
        _MORE: json.dumps({**more, "known": known}, ensure_ascii=False),
    }  # fmt: skip


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _truth(entry: dict[str, Any], place: str) -> dict[str, Any]:
    """What a line states. Without our own column, each column that is there is known."""
    try:
        more = json.loads(entry.get(_MORE) or "{}")
        known = more.pop("known", [key for key in (*_HEADER, "line_items") if key in entry])
        return {**{key: entry.get(key) for key in known}, **more}
    except (ValueError, AttributeError) as error:
        raise FormatError(f"{place}: the column {_MORE} is not valid JSON: {error}") from error


FORMAT = Format(read, write)
