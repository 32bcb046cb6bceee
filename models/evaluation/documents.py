"""A cache of documents on disk: OCR takes half the time of an evaluation."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import serve_app
from models.evaluation.sources import digest_of_sources
from serve_app.documents.isolation.codec import decode_document, encode_document
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

# What a document's words depend on besides its bytes: changing this code invalidates the cache. How the reader is run
# in a separate process does not affect the words.
_SOURCES = ("documents/**/*.py", "domain/reading_order.py", "domain/invoice_data.py")
# Nor does the sandbox.
_TRANSPORT = "documents/isolation/*.py"


class DocumentCache:
    """Reads each file once with `read`; after that, its document or error comes from `folder`. `found`: how many came
    from there."""

    def __init__(self, folder: Path, read: Callable[[bytes], Document], options: ReadOptions) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._read = read
        program = digest_of_sources(Path(serve_app.__file__).parent, _SOURCES, but=_TRANSPORT)
        self._reader = sha256(repr((options.limits, options.ocr)).encode() + program).digest()
        self.found = 0

    def read(self, data: bytes) -> Document:
        """The document of a file; raise DocumentError if it cannot be read."""
        path = self._folder / f"{sha256(self._reader + data).hexdigest()[:24]}.bin"
        refused = path.with_suffix(".json")
        if refused.exists():
            self.found += 1
            raise _error(refused)
        if path.exists():
            self.found += 1
        else:
            try:
                _write(path, encode_document(self._read(data)))
            except DocumentError as error:
                _write(refused, json.dumps({"code": error.code, "message": error.message}).encode())
                raise
        return decode_document(path.read_bytes())


def _error(path: Path) -> DocumentError:
    stored = json.loads(path.read_text())
    return DocumentError(FailureCode(stored["code"]), stored["message"])


def _write(path: Path, data: bytes) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)
