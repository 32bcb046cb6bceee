"""Every knob of the service, typed, in one place. Environment variables carry the field's name in upper case."""

from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

_SQLITE = "sqlite:///"
_FILE = "file://"


class Settings(BaseSettings):
    """What a deployment can choose. Frozen and picklable: one driver reads it, every worker gets the same copy."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_file=None)

    database_url: str = "sqlite:///data/invoices.db"
    """`sqlite:///relative/path` or `sqlite:////absolute/path`."""
    files_url: str = "data/files"
    """Folder of the documents' bytes: a plain path or `file:///absolute/path`."""

    lease_seconds: float = Field(default=30.0, gt=0)
    """How long a claim lasts without a heartbeat before another worker may take the document up."""
    heartbeat_seconds: float = Field(default=10.0, gt=0)
    poll_seconds: float = Field(default=1.0, gt=0)
    """How often a dispatcher looks for due documents when nothing wakes it."""
    max_running: int = Field(default=8, ge=1)
    """Documents that one dispatcher works on at a time."""
    max_lost_claims: int = Field(default=3, ge=1)
    """Workers that one document may cost before it fails as `extraction_interrupted`."""
    retry_seconds: float = Field(default=120.0, ge=0)
    """How long a run tries again in place while a worker it needs is out of reach; the heartbeat keeps its lease."""
    max_releases: int = Field(default=100, ge=1)
    """Runs given back because a worker stayed out of reach: about 20 hours of back-off before the document fails."""
    stop_seconds: float = Field(default=20.0, ge=0)
    """How long a stopping dispatcher lets running documents finish before it hands them back."""

    wait_seconds: float = Field(default=60.0, gt=0)
    """How long a create call with `wait=true` is held."""
    wait_poll_seconds: float = Field(default=0.1, gt=0)
    max_held_calls: int = Field(default=200, ge=0)
    """Calls that one process holds at a time; beyond it `wait=true` is answered with 202 at once."""

    max_file_bytes: int = Field(default=15 * 1024 * 1024, ge=1)
    """Largest document accepted: "15 MB" is read as 15 MiB (15,728,640 bytes), the more generous reading."""
    rate_limit: int = Field(default=60, ge=1)
    """Requests of one key in one calendar minute."""

    def resolved(self) -> Self:
        """The same settings with absolute paths, so that workers in another folder mean the same files."""
        return self.model_copy(
            update={"database_url": _absolute_database(self.database_url), "files_url": str(self.files_folder)}
        )

    @property
    def files_folder(self) -> Path:
        """The folder that `files_url` names, absolute. ValueError for a scheme this version does not know."""
        if self.files_url.startswith(_FILE):
            return Path(unquote(urlsplit(self.files_url).path)).absolute()
        if "://" in self.files_url:
            raise ValueError("FILES_URL names a store that is not supported in this version; use a folder")
        return Path(self.files_url).absolute()


def sqlite_path(url: str) -> Path | None:
    """The absolute path of the database file that `url` names, or None where it is no SQLite URL."""
    return Path(url.removeprefix(_SQLITE)).absolute() if url.startswith(_SQLITE) else None


def _absolute_database(url: str) -> str:
    path = sqlite_path(url)
    return url if path is None else f"{_SQLITE}{path}"
