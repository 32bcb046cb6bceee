"""Places that settings name: a host with a port, the file of a database."""

from pathlib import Path

_SQLITE = "sqlite:///"
_HIGHEST_PORT = 65_535


def place_of(text: str) -> tuple[str, int] | None:
    """The host and the port that `host:port` or `[host]:port` names; None for nothing. Raises ValueError for anything
    else."""
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) <= _HIGHEST_PORT:
        raise ValueError("it must be host:port, like 127.0.0.1:9464")
    return host.strip("[]"), int(port)


def sqlite_path(url: str) -> Path | None:
    """The absolute path of the database file that `url` names, or None if it is not an SQLite URL."""
    return Path(url.removeprefix(_SQLITE)).absolute() if url.startswith(_SQLITE) else None


def absolute_database(url: str) -> str:
    """The same URL; that of an SQLite file with its absolute path."""
    path = sqlite_path(url)
    return url if path is None else f"{_SQLITE}{path}"
