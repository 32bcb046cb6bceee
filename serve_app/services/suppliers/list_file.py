"""Keeps the operator's list of suppliers as its file has it."""

import logging
from pathlib import Path

from serve_app.domain.supplier_list import SupplierList, parse_supplier_list
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)

_MOST_BYTES = 100_000_000
_Version = tuple[int, int, int]


class SupplierListFile:
    """The list in a CSV file, read again when the file has changed. An unreadable file changes nothing: the list
    stays as it was, and a log line says so."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._version: _Version | None = None
        self._list = SupplierList()

    async def current(self) -> SupplierList:
        """The list as it is now; empty without a file."""
        if self._path is not None:
            await COMPUTING.run(self._refresh, self._path)
        return self._list

    def _refresh(self, path: Path) -> None:
        version = _version_of(path)
        if version == self._version:
            return
        # Also of a damaged file: it is read once, and again after the next change.
        self._version = version
        try:
            self._list = _read(path)
        except (OSError, ValueError) as error:
            log.warning("list of suppliers not read: %s", error, extra={"file": str(path)})


def _version_of(path: Path) -> _Version | None:
    """None if there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> SupplierList:
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"larger than {_MOST_BYTES} bytes")
    return parse_supplier_list(path.read_text(encoding="utf-8-sig"))
