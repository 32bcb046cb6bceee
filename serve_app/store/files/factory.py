"""Opens a files store from the settings: the only place that knows which implementations exist."""

from urllib.parse import urlsplit

from serve_app.domain.user_error import UserError
from serve_app.settings import Settings
from serve_app.settings.files_url import GRIDFS, MONGODB, files_url_or_default, folder_of
from serve_app.store.base import Files
from serve_app.store.files import FolderFiles


def open_files(settings: Settings) -> Files:
    """Open the files store that `files_url` names, once per process. Blocks briefly. Raises UserError if there is no
    such kind, or if the URL lacks what its kind needs."""
    url = files_url_or_default(settings.files_url, settings.database_url)
    folder = folder_of(url)
    if folder is not None:
        return FolderFiles(folder)
    if url == GRIDFS:
        return _open_gridfs(_mongodb_of(settings.database_url))
    if url.startswith(MONGODB):
        return _open_gridfs(url)
    if url.startswith("s3://"):
        return _open_s3(url)
    # Only the scheme is shown: the rest of the URL may contain a password.
    raise UserError(
        f"FILES_URL: {urlsplit(url).scheme}:// is not a file store; use a folder, gridfs, mongodb://host/database "
        "or s3://bucket/prefix"
    )


def open_backup_place(place: str) -> Files:
    """The files of a folder, which is created if it is missing, or of an `s3://` URL. Raises UserError if it is
    neither."""
    folder = folder_of(place)
    if folder is not None:
        return FolderFiles(folder)
    if not place.startswith("s3://"):
        raise UserError(f"{urlsplit(place).scheme}:// is no place for backups; use a folder or s3://bucket/prefix")
    try:
        return _open_s3(place)
    except UserError as error:
        raise UserError(str(error).removeprefix("FILES_URL: ")) from error


def _mongodb_of(database_url: str) -> str:
    if not database_url.startswith(MONGODB):
        raise UserError("FILES_URL: gridfs needs a DATABASE_URL that begins with mongodb://")
    return database_url


# The drivers are imported only if used: they cost memory and import time.


def _open_gridfs(url: str) -> Files:
    from serve_app.store.mongo.files import open_gridfs

    return open_gridfs(url)


def _open_s3(url: str) -> Files:
    from serve_app.store.files.s3 import S3Files
    from serve_app.store.files.s3_place import parse_s3_url

    return S3Files(parse_s3_url(url))
