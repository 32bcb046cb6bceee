"""A cache of documents on disk: OCR takes half the time of an evaluation."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import serve_app
from serve_app.documents.isolation.codec import decode_document, encode_document
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

# What a document's words depend on besides its bytes: changing this code invalidates the cache. How the reader is run
# in a separate process does not affect the words.
_SOURCES = ("documents/**/*.py", "domain/reading_order.py", "domain/einvoice.py")
_TRANSPORT = "isolation"


class DocumentCache:
    """Reads each file once with `read`; after that, its document or error comes from `folder`."""

    def __init__(self, folder: Path, read: Callable[[bytes], Document], options: ReadOptions) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._read = read
        # Nor does the sandbox.
        self._reader = sha256(repr((options.limits, options.ocr)).encode() + _digest_of_sources()).digest()

    def read(self, data: bytes) -> Document:
        """The document of a file; raise DocumentError if it cannot be read."""
        path = self._folder / f"{sha256(self._reader + data).hexdigest()[:24]}.bin"
        refused = path.with_suffix(".json")
        if refused.exists():
            raise _error(refused)
        if not path.exists():
            try:
                _write(path, encode_document(self._read(data)))
            except DocumentError as error:
                _write(refused, json.dumps({"code": error.code, "message": error.message}).encode())
                raise
        return decode_document(path.read_bytes())


def _digest_of_sources() -> bytes:
    root, whole = Path(serve_app.__file__).parent, sha256()
    for path in sorted(path for pattern in _SOURCES for path in root.glob(pattern)):
        if path.parent.name != _TRANSPORT:
            whole.update(path.read_bytes())
    return whole.digest()


def _error(path: Path) -> DocumentError:
    stored = json.loads(path.read_text())
    return DocumentError(FailureCode(stored["code"]), stored["message"])


def _write(path: Path, data: bytes) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)
