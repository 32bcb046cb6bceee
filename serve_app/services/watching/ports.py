"""Interfaces to watched folders. `serve_app.watched` implements them; tests use plain classes."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Destination(StrEnum):
    """The subfolders for finished files."""

    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A file in a watched folder. `path` is relative to the folder, with `/` between its parts. `version` changes
    whenever the file may have changed."""

    path: str
    size: int
    version: str
    is_link: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


class FolderProblem(Exception):
    """The folder cannot be used now. A later try may succeed. The text gives the reason for people, without secrets."""


class FileChanged(Exception):
    """The file was changed or removed since it was listed."""


class FileUnreadable(Exception):
    """The service cannot read the file. The text gives the reason for people."""


class FolderAccess(Protocol):
    """An opened folder. Blocking; used by one thread at a time. Every method may raise FolderProblem."""

    @property
    def problem(self) -> str:
        """Why the last listing was incomplete; empty if it was complete."""
        ...

    def prepare(self) -> None:
        """Create the destinations, and check that reports can be written there."""
        ...

    def entries(self) -> Iterator[FolderEntry]:
        """Files and symbolic links below the folder, in no particular order, without collecting them: there may be
        very many. Destinations, hidden files and files with a temporary name are left out."""
        ...

    def read(self, entry: FolderEntry, max_bytes: int) -> bytes:
        """The whole file. Raises FileChanged if it is not the listed version or has more than `max_bytes`;
        FileUnreadable."""
        ...

    def move(self, entry: FolderEntry, destination: Destination, content: str, report: bytes) -> None:
        """Write the report to the destination, then move the file beside it, under its own path. After a crash between
        the two steps, the same call completes them. Another content under the same path gets another name; the same
        content replaces itself. Raises FileChanged if the file is not the listed version."""
        ...

    def put(self, name: str, data: bytes) -> None:
        """Write a file into the folder itself, all or nothing; one of the same name is replaced."""
        ...

    def close(self) -> None: ...


class FolderPlaces(Protocol):
    """What is known of places without opening them."""

    def canonical_place(self, text: str) -> str:
        """The one way to write a place. Raises UserError if it is wrong, or if this machine has no such folder."""
        ...

    def is_within(self, place: str, outer: str) -> bool:
        """Whether a canonical place is below the other one, or the same."""
        ...

    def overlaps(self, first: str, second: str) -> bool:
        """Whether the files of one would be taken from the other one, too."""
        ...
