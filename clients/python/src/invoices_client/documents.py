"""A document as the body of a call."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

PathText = str | os.PathLike[str]


def read_document(file: bytes | IO[bytes] | None, path: PathText | None) -> tuple[bytes | None, str]:
    """The bytes of a document and a name for it; None for one that is not given as bytes."""
    if path is not None:
        return Path(path).read_bytes(), Path(path).name
    if file is None or isinstance(file, bytes):
        return file, "document"
    name = getattr(file, "name", None)
    return file.read(), Path(name).name if isinstance(name, str) else "document"


def upload_body(
    data: bytes | None,
    name: str,
    others: Mapping[str, str],
    metadata: Mapping[str, str] | None,
) -> dict[str, Any]:
    """The arguments for httpx: a form with the document, or JSON with what stands for it."""
    if data is None:
        return {"json": {**others, **({"metadata": dict(metadata)} if metadata else {})}}
    form = {"metadata": json.dumps(dict(metadata))} if metadata else {}
    return {"files": {"file": (name, data)}, "data": form}


def check_one_source(**sources: object) -> None:
    """Raises TypeError unless exactly one of the sources is given."""
    if sum(source is not None for source in sources.values()) != 1:
        raise TypeError(f"pass exactly one of {', '.join(sources)}")
