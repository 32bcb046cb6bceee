"""The SQLite library of this package: the one place that chooses it.

The system's own may be one that can lose writes: up to 3.51.2, a checkpoint may reset the write-ahead log while another
process appends to it. So the library comes with a Python package, which has the interface of Python's sqlite3 module.

A process must not open the same file through a second copy of SQLite: when one of them closes it, the other loses its
locks.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    from pysqlite3 import dbapi2 as sqlite3

# The first sound release of each line of releases; the last line has no end.
_SOUND_FROM = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
Version = tuple[int, ...]


def refuse_unsound_library(version: Version = sqlite3.sqlite_version_info) -> None:
    """Raises RuntimeError if this version of SQLite can lose writes of several processes."""
    is_sound = version >= _SOUND_FROM[-1] or any(first <= version < _end_of(first) for first in _SOUND_FROM[:-1])
    if not is_sound:
        sound = ", ".join(_text(first) for first in _SOUND_FROM)
        raise RuntimeError(
            f"SQLite {_text(version)} can lose writes when several processes share a database; "
            f"releases without this defect: {sound} and later. Install the package pysqlite3 as pinned by this service"
        )


def _end_of(first: Version) -> Version:
    """The first release of the next line."""
    major, minor, *_ = first
    return (major, minor + 1)


def _text(version: Version) -> str:
    return ".".join(map(str, version))


__all__ = ["refuse_unsound_library", "sqlite3"]
