"""Builds what watches folders."""

from pathlib import Path

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.watched_folder import WatchedFolder
from serve_app.services.tasks.wake import Wake
from serve_app.services.watching.documents import WatchedDocuments
from serve_app.services.watching.folders import FolderService
from serve_app.services.watching.lease import FolderLease
from serve_app.services.watching.watch import FolderWatch, WatchOptions
from serve_app.services.watching.watcher import POLL_SECONDS, Watcher
from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Files, Store
from serve_app.watched import places
from serve_app.watched.places import open_place
from serve_app.watched.sftp_place import SftpAccess
from serve_app.wiring.intake import build_intake, build_start_times


class _NoNotifier:
    """Dispatchers find the documents when they poll: processing takes longer than that."""

    async def wake(self) -> None:
        return None


def build_watcher(
    store: Store,
    files: Files,
    settings: Settings,
    only: WatchedFolder | None = None,
    clock: Clock = utc_now,
    poll_seconds: float = POLL_SECONDS,
) -> Watcher:
    """Watches `only` this folder, or all; `poll_seconds` is how often it looks for new ones. Build it on the event loop
    that will run it."""
    documents = WatchedDocuments(
        store.accounts,
        build_intake(store, files, Wake(_NoNotifier()), settings, clock),
        store.invoices,
        store.watched_folders,
        build_start_times(store, settings, clock),
        clock,
    )
    options = WatchOptions(settings.max_file_bytes, settings.watch_poll_seconds, settings.watch_settle_seconds)
    holder, sftp = new_id(), sftp_access_of(settings)

    def new_watch(folder: WatchedFolder) -> FolderWatch:
        lease = FolderLease(store.watched_folders, folder, holder, clock)
        return FolderWatch(
            folder, lambda: open_place(folder.place, sftp), documents, store.watched_folders, lease, options, clock
        )

    return Watcher(store.watched_folders, new_watch, None if only is None else only.id, poll_seconds)


def build_folders(store: Store, settings: Settings, clock: Clock = utc_now) -> FolderService:
    """What operators do with watched folders."""
    named = settings.signing_key_file, settings.encryption_key_file, settings.mail_folder, settings.metrics_folder
    own = (sqlite_path(settings.database_url), settings.files_folder, *(Path(path).absolute() for path in named))
    allowed = [place.strip() for place in settings.watch_places.split(",") if place.strip()]
    return FolderService(store.watched_folders, places, [path for path in own if path], allowed, clock)


def sftp_access_of(settings: Settings) -> SftpAccess:
    """How SFTP servers are signed in to."""
    password = settings.watch_sftp_password
    return SftpAccess(
        settings.watch_sftp_key_file,
        None if password is None else password.get_secret_value(),
        settings.watch_sftp_known_hosts,
    )
