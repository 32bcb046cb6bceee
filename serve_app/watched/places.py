"""The places of watched folders: paths of this machine and URLs."""

from pathlib import Path

from serve_app.domain.user_error import UserError
from serve_app.services.watching.ports import FolderAccess
from serve_app.watched.local import LocalFolder


def canonical_place(text: str) -> str:
    """The one way to write a place. Raises UserError if there is no such folder, or if the URL is wrong."""
    if "://" in text:
        raise UserError(f"{text}: only folders of this machine can be watched")
    path = Path(text).absolute()
    try:
        # Two paths of a folder, by a symbolic link, are one place.
        path = path.resolve(strict=True)
    except OSError as error:
        raise UserError(f"{text}: {error.strerror}") from None
    if not path.is_dir():
        raise UserError(f"{text}: not a folder")
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UserError("the path of a watched folder must be valid UTF-8; paths of its files need not be") from None
    return str(path)


def open_place(place: str) -> FolderAccess:
    """The folder at a canonical place. Raises UserError for one that is no longer supported."""
    return LocalFolder(Path(place))


def overlaps(first: str, second: str) -> bool:
    """Whether a place contains the other one, or is the same: its files would be taken twice."""
    one, other = (f"{place.partition('?')[0].rstrip('/')}/" for place in (first, second))
    return one.startswith(other) or other.startswith(one)
