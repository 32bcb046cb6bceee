"""What an operator takes care of, from the settings."""

from functools import partial
from pathlib import Path

from serve_app.services.upkeep.care import Care
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import clock_ahead


def build_care(store: Store, settings: Settings) -> Care:
    """The numbers of the machine on which it is called."""
    keys = {"signing": settings.signing_key_file, "encryption": settings.encryption_key_file}
    certificates = {} if settings.mail_tls_certificate is None else {"mail": settings.mail_tls_certificate}
    named = {what: Path(path) for what, path in keys.items()}
    return Care(
        store, settings.data_folders, named, certificates, partial(clock_ahead, settings), settings.measured_accounts
    )
