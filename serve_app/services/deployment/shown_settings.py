"""The settings without secrets and addresses of people."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from serve_app.settings import Settings

_HIDDEN = "set, not shown"


def shown_settings(settings: Settings) -> Mapping[str, str]:
    """Each setting by its environment variable: whether a secret or a mail address is set, URLs without user, password
    and options, and paths without the name of the home folder."""
    return {name.upper(): _shown(getattr(settings, name)) for name in Settings.model_fields}


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, SecretStr):
        return _HIDDEN
    text = _without_secrets(str(value)) if "://" in str(value) else str(value)
    return _HIDDEN if "@" in text else text.replace(str(Path.home()), "~")


def _without_secrets(url: str) -> str:
    try:
        parts = urlsplit(url)
        # Of several hosts (MongoDB) the last @ ends user and password.
        # A list of places is no URL.
        return url if not parts.scheme else f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    except ValueError:
        return _HIDDEN
