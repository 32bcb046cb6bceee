"""Names of files in watched folders."""

import os
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from serve_app.services.watching.ports import Destination
from serve_app.services.watching.report import is_report_of

REPORT = ".json"
MAX_NAME_BYTES = 255
_HASH_LENGTH = 12
_MAX_SUFFIX_LENGTH = 10
_HIDDEN = (".", "~")
_TEMPORARY = (".tmp", ".part", ".partial", ".filepart", ".crdownload", ".download", ".swp")
_OF_SYSTEMS = {"thumbs.db", "desktop.ini"}
_DESTINATIONS = {str(each) for each in Destination}


def is_ignored(path: str) -> bool:
    """Whether a file or a folder at this path is never taken: a destination, a hidden or a temporary name, or a file
    that operating systems add."""
    name = PurePosixPath(path).name.casefold()
    return path in _DESTINATIONS or name in _OF_SYSTEMS or name.startswith(_HIDDEN) or name.endswith(_TEMPORARY)


def is_in_ignored(path: str) -> bool:
    """The same for the file or any folder on its path: buckets have no folders to leave out."""
    parts = path.split("/")
    return any(is_ignored("/".join(parts[: end + 1])) for end in range(len(parts)))


def names_of(name: str, content: str) -> Iterator[str]:
    """Names for a finished file: its own, unless it is too long for a report beside it; then one that its content makes
    unique."""
    if len(os.fsencode(name + REPORT)) <= MAX_NAME_BYTES:
        yield name
    yield with_mark(name, content.partition(":")[2][:_HASH_LENGTH])


def with_mark(name: str, mark: str) -> str:
    """The name with `-mark` before its extension, shortened to what file systems allow."""
    suffix = PurePosixPath(name).suffix
    suffix = suffix if len(suffix) <= _MAX_SUFFIX_LENGTH else ""
    stem, end = name.removesuffix(suffix), f"-{mark}{suffix}"
    while len(os.fsencode(stem + end + REPORT)) > MAX_NAME_BYTES:
        stem = stem[:-1]
    return stem + end


def free_name(name: str, content: str, head: Callable[[str], bytes], exists: Callable[[str], bool]) -> str:
    """The first name that nothing has, or that this content got before a crash. `head` returns the start of a file,
    which is empty if there is none; `exists` says whether there is a file of this name."""
    *candidates, unique = names_of(name, content)
    for candidate in candidates:
        report = f"{candidate}{REPORT}"
        if is_report_of(head(report), content) or not (exists(candidate) or exists(report)):
            return candidate
    return unique
