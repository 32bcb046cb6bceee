"""Datasets as folders of splits ("train", "test"), each with pictures and their labels."""

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from models.evaluation.formats.record import FormatError

PICTURES = frozenset({".jpg", ".jpeg", ".png"})
METADATA = "metadata.jsonl"


def splits_of(source: Path, name: str, sets: str) -> list[tuple[str, Path]]:
    """The splits that have a file or folder `name`: `source` itself, or folders in it; with the names of their sets.
    Raises FormatError if there is none."""
    if (source / name).exists():
        return [(sets, source)]
    found = [(f"{sets}_{path.name}", path) for path in sorted(source.glob("*")) if (path / name).exists()]
    if not found:
        raise FormatError(f"{source} has no {name}, and no folder of it has one")
    return found


def pictures_of(folder: Path) -> list[Path]:
    """The pictures of a folder, by name."""
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in PICTURES)


def read_json(path: Path) -> Any:
    """The content of a file. Raises FormatError if it is missing or is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise FormatError(f"{path} is not valid JSON: {error}") from error


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file with one a line, each with its place for messages. Raises FormatError."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        place = f"{path}, line {number}"
        try:
            entry = json.loads(line) if line.strip() else None
        except ValueError as error:
            raise FormatError(f"{place} is not valid JSON: {error}") from error
        if entry is not None:
            if not isinstance(entry, dict):
                raise FormatError(f"{place} is no JSON object")
            yield place, entry


def read_file(folder: Path, name: Any, place: str) -> bytes:
    """A file that an entry names, within its folder. Raises FormatError."""
    path = folder / str(name)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise FormatError(f"{place} names a file outside of its folder: {name}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(f"{place} names {name}: {error.strerror}") from error


def write_json(path: Path, content: Any) -> None:
    """Write one JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def append_line(path: Path, content: Any) -> None:
    """Add a JSON object as a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(content, ensure_ascii=False) + "\n")


def write_picture(path: Path, data: bytes) -> None:
    """Write a picture of a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    with Image.open(io.BytesIO(picture)) as opened:
        return opened.size


def bound(pictures: Sequence[bytes]) -> bytes:
    """Pictures of pages as one PDF."""
    first, *others = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    out = io.BytesIO()
    first.save(out, "PDF", save_all=True, append_images=others, resolution=150)
    return out.getvalue()
