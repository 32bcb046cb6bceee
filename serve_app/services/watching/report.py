"""The JSON file beside a finished file."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from serve_app.domain.invoice import Invoice
from serve_app.services.watching.ports import Destination, FolderEntry

HEAD_BYTES = 200
"""The start of a report, which names its content."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """The outcome of a file: its invoices, or an error. A document whose extraction failed has both."""

    invoices: Sequence[Invoice] = ()
    code: str | None = None
    message: str | None = None

    @property
    def destination(self) -> Destination:
        return Destination.DONE if self.code is None else Destination.FAILED

    def report(self, entry: FolderEntry, content: str) -> bytes:
        """The report; `content` identifies the bytes of the file."""
        error = None if self.code is None else {"code": self.code, "message": self.message}
        invoices = [invoice.model_dump(mode="json") for invoice in self.invoices]
        report: dict[str, Any] = {"content": content, "file": entry.path, "error": error, "invoices": invoices}
        return json.dumps(report, indent=2).encode()


def is_report_of(head: bytes, content: str) -> bool:
    """Whether a report with this start describes this content."""
    return head.startswith(f'{{\n  "content": {json.dumps(content)},'.encode())
