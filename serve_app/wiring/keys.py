"""Builds what holds the keys of a deployment."""

from serve_app.keys.ring import KeyRing, Keys
from serve_app.keys.rules import encryption_keys_in, signing_keys_in
from serve_app.keys.sealing import Sealer
from serve_app.settings import Settings
from serve_app.settings.secrets import key_file_of


def build_sealer(settings: Settings) -> Sealer:
    """The encryption of secrets for the store. Raises ValueError if the settings have no encryption key."""
    if settings.encryption_key is None:
        raise ValueError("the settings have no encryption key")
    given, path = settings.encryption_key.get_secret_value(), key_file_of(settings, "encryption_key")
    return Sealer(KeyRing(given, path, encryption_keys_in))


def build_signing_keys(settings: Settings) -> Keys:
    """The keys that sign links. Raises ValueError if the settings have none."""
    if settings.signing_key is None:
        raise ValueError("the settings have no signing key")
    given, path = settings.signing_key.get_secret_value(), key_file_of(settings, "signing_key")
    return KeyRing(given, path, signing_keys_in)
