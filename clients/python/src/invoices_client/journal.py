"""A file of what was sent, from which an interrupted run continues."""

import hashlib
import json
import os
import sys
import threading
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import IO, Any

from invoices_client.documents import PathText
from invoices_client.models import Invoice

# The service keeps idempotency keys for 24 hours; the last hour is for clocks and slow calls.
_KEY_LIFE = timedelta(hours=23)


@dataclass
class Entry:
    """What is known of a document: the idempotency key of its call, since when it is used, and the invoice."""

    key: str = field(default_factory=lambda: str(uuid.uuid4()))
    sent_at: datetime | None = None
    invoice: Invoice | None = None

    @property
    def is_unconfirmed(self) -> bool:
        """Whether an unanswered call is too old to be repeated with its key."""
        return self.invoice is None and self.sent_at is not None and _now() - self.sent_at > _KEY_LIFE


class Journal:
    """One line for each step of a document, written to the disk before the next step. Without a path, it forgets."""

    def __init__(self, path: PathText | None) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] = {}
        self._file = _open(Path(path)) if path is not None else None
        for line in self._file or ():
            self._apply(json.loads(line))

    def close(self) -> None:
        """After the step that is being written, which would keep another run out."""
        with self._lock:
            if self._file:
                self._file.close()

    def find(self, path: Path, data: bytes) -> tuple[str, Entry]:
        """The entry of a document, and its name in `sent`, `refused` and `answered`. A changed file is another one."""
        name = f"{hashlib.sha256(data).hexdigest()} {path.absolute()}"
        with self._lock:
            return name, self._entries.setdefault(name, Entry())

    def sent(self, name: str) -> None:
        """Note that the document is about to be sent."""
        with self._lock:
            entry = self._entries[name]
            if entry.sent_at is None:
                self._write({"document": name, "key": entry.key, "sent_at": _now().isoformat()})

    def refused(self, name: str, code: str) -> None:
        """Note that the service answered, and made no invoice."""
        with self._lock:
            self._write({"document": name, "refused": code})

    def answered(self, name: str, invoice: Invoice) -> None:
        """Note the invoice as it is now."""
        with self._lock:
            self._write({"document": name, "invoice": invoice.model_dump(mode="json")})

    def _write(self, line: dict[str, Any]) -> None:
        if self._file:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        self._apply(line)

    def _apply(self, line: dict[str, Any]) -> None:
        name = line["document"]
        if "invoice" in line:
            self._entries.setdefault(name, Entry()).invoice = Invoice.model_validate(line["invoice"])
        elif "refused" in line:
            self._entries[name] = Entry()
        else:
            self._entries[name] = Entry(line["key"], datetime.fromisoformat(line["sent_at"]))


def _open(path: Path) -> IO[bytes]:
    """The journal at its first line, for this run only; raises BlockingIOError if another one has it. A last line that
    was not written to its end is dropped: its step did not begin."""
    file = open(path, "a+b")  # noqa: SIM115
    try:
        _lock(file)
    except BlockingIOError:
        file.close()
        raise
    file.seek(0)
    text = file.read()
    file.truncate(text.rfind(b"\n") + 1)
    file.seek(0)
    return file


def _lock(file: IO[bytes]) -> None:
    """Until the file is closed. Windows has no such locks: there, nothing prevents a second run."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _now() -> datetime:
    return datetime.now(timezone.utc)
