"""What the attempts are aimed at."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EscapeTarget:
    data: str
    """The data folder: invoices.db, files/, signing.key, service.env, for their owner only."""
    open_file: str
    """Readable by everybody, but not by a reader."""
    parent: int
    neighbour: int
    """Another process of the same user, with a secret in its environment."""
    port: int
    """Listened to on the loopback address, TCP and UDP."""
    socket: str
    """A socket that is listened to, by path."""
    abstract: str
    """The same by an abstract name."""

    @property
    def folder(self) -> Path:
        return Path(self.data)

    @property
    def key(self) -> Path:
        return self.folder / "signing.key"

    @property
    def database(self) -> Path:
        return self.folder / "invoices.db"
