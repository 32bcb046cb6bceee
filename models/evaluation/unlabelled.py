"""A folder of documents, labelled or not."""

from pathlib import Path

from models.evaluation.dataset import DatasetError
from serve_app.documents.sniff import sniff


def document_files(folder: Path) -> list[Path]:
    """The documents of a folder: those of its `docs`, if it has one; else all files of a supported kind. Raises
    DatasetError if there are none."""
    docs = folder / "docs"
    files = sorted((docs if docs.is_dir() else folder).rglob("*"))
    found = [path for path in files if path.is_file() and sniff(path.read_bytes()) is not None]
    if not found:
        raise DatasetError(f"{folder} has no documents")
    return found
