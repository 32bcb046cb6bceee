"""What happened to a model's versions: a line of JSON for each, which is only ever added to."""

import getpass
import json
import os
import socket
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from models.config import ModelError
from serve_app.domain.clock import utc_now


class What(StrEnum):
    FETCHED = "fetched"
    PROMOTED = "promoted"
    ROLLED_BACK = "rolled_back"
    """To this version, which had been promoted before the last one."""
    LOADED = "loaded"
    """A replica has loaded it."""


class Event(BaseModel):
    """Something that happened to a version. `by` is who did it, and where; `note` says more, such as why the gate was
    not asked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: datetime
    what: What
    hash: str
    by: str
    note: str = ""


class History:
    """The history in a file, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, what: What, version: str, note: str = "", by: str | None = None) -> Event:
        """Note an event that happens now. Raises OSError if the file cannot be written."""
        event = Event(at=utc_now(), what=what, hash=version, by=by or _who(), note=note)
        line = (event.model_dump_json() + "\n").encode()
        # One write at the end of the file: several processes may do this at the same time.
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)
        return event

    def events(self) -> list[Event]:
        """All of it, the oldest first. Raises ModelError if the file is damaged."""
        return list(self._events())

    def _events(self) -> Iterator[Event]:
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                yield Event.model_validate_json(line)
            except (ValidationError, json.JSONDecodeError) as error:
                raise ModelError(f"{self._path}, line {number}: not an event of a registry") from error

    def promoted(self) -> list[str]:
        """The versions that were promoted and not rolled back, the present one last."""
        found: list[str] = []
        for event in self._events():
            if event.what is What.PROMOTED:
                found.append(event.hash)
            elif event.what is What.ROLLED_BACK and found:
                found.pop()
        return found


def _who() -> str:
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):
        # A container's user may have no name.
        return f"user {os.getuid()}@{socket.gethostname()}"
