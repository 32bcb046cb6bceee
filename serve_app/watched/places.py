"""The places of watched folders: paths of this machine, `s3://` and `sftp://` URLs."""

import re
from pathlib import Path
from urllib.parse import quote, urlencode

from serve_app.domain.user_error import UserError
from serve_app.services.watching.ports import FolderAccess
from serve_app.store.files.s3_place import S3Place, parse_s3_url
from serve_app.watched.local import LocalFolder
from serve_app.watched.sftp_place import SftpAccess, parse_sftp_url

_S3, _SFTP = "s3://", "sftp://"
_USER = re.compile("^sftp://[^@/]*@")


def canonical_place(text: str) -> str:
    """The one way to write a place. Raises UserError if the URL is wrong, or if this machine has no such folder."""
    if text.startswith(_S3):
        return _s3_url(_s3_place(text))
    if text.startswith(_SFTP):
        return parse_sftp_url(text).url
    if "://" in text:
        raise UserError("a watched folder is a path, s3://bucket/prefix or sftp://user@host/path")
    return str(_local_folder(text))


def open_place(place: str, sftp: SftpAccess) -> FolderAccess:
    """The folder at a canonical place. Raises UserError, FolderProblem."""
    if place.startswith(_S3):
        # Loading boto3 takes a while.
        from serve_app.watched.s3 import BucketFolder

        return BucketFolder.open(_s3_place(place), place)
    if place.startswith(_SFTP):
        from serve_app.watched.sftp import SftpFolder

        return SftpFolder.open(parse_sftp_url(place), sftp)
    return LocalFolder(Path(place))


def is_within(place: str, outer: str) -> bool:
    """Whether a place is below the other one, or the same."""
    return _service(place) == _service(outer) and _path(place).startswith(_path(outer))


def overlaps(first: str, second: str) -> bool:
    """Whether one place is within the other one, whoever signs in: its files would be taken twice."""
    one, other = _USER.sub(_SFTP, first), _USER.sub(_SFTP, second)
    return is_within(one, other) or is_within(other, one)


def _service(place: str) -> str | None:
    """The address of an S3 service other than Amazon's."""
    return _s3_place(place).endpoint_url if place.startswith(_S3) else None


def _path(place: str) -> str:
    path = place.partition("?")[0] if place.startswith(_S3) else place
    return f"{path.rstrip('/')}/"


def _s3_place(url: str) -> S3Place:
    return parse_s3_url(url, "watched bucket")


def _s3_url(place: S3Place) -> str:
    options = {"endpoint_url": place.endpoint_url, "region": place.region}
    query = urlencode({name: value for name, value in options.items() if value})
    path = f"/{quote(place.prefix)}" if place.prefix else ""
    return f"{_S3}{place.bucket}{path}" + (f"?{query}" if query else "")


def _local_folder(text: str) -> Path:
    try:
        # Two paths of a folder, by a symbolic link, are one place.
        path = Path(text).absolute().resolve(strict=True)
    except OSError as error:
        raise UserError(f"{text}: {error.strerror}") from None
    if not path.is_dir():
        raise UserError(f"{text}: not a folder")
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UserError("the path of a watched folder must be valid UTF-8; paths of its files need not be") from None
    return path
