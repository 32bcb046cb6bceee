"""Secrets among the settings: where a process reads them, and how they stay out of what is handed to other processes.

Ray keeps what replicas are made of in its control store, as it is given. So a secret that every process can read for
itself is left out there.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from serve_app.domain.user_error import UserError
from serve_app.keys.files import read_key
from serve_app.keys.rules import check_encryption_key, check_signing_key

CREDENTIALS = "CREDENTIALS_DIRECTORY"
"""The variable that names a folder with a file for each secret, called like the setting; systemd sets it."""
_URLS = ("database_url", "files_url")
"""Settings that may contain a password."""
_KEYS = {"signing_key": check_signing_key, "encryption_key": check_encryption_key}
"""Their files have settings of their own, because the service may create them."""


def secret_names(fields: Mapping[str, FieldInfo]) -> list[str]:
    """The settings that are secrets, or may contain one."""
    return [name for name, field in fields.items() if "SecretStr" in str(field.annotation) or name in _URLS]


def is_secret(name: str, value: object) -> bool:
    """Whether this value of a setting that may be a secret is one."""
    return value is not None and (name not in _URLS or urlsplit(str(value)).password is not None)


def read_secret(name: str) -> str | None:
    """What this process finds in `NAME`, in the file that `NAME_FILE` names, or in the folder of credentials. Raises
    UserError if two of them are given, or a file cannot be read."""
    variable = name.upper()
    if name not in _KEYS and (file := os.environ.get(f"{variable}_FILE")):
        if variable in os.environ:
            raise UserError(f"both {variable} and {variable}_FILE are set; set only one of them")
        return _text(f"{variable}_FILE", Path(file))
    if variable in os.environ:
        return os.environ[variable]
    folder = os.environ.get(CREDENTIALS)
    if folder and (path := Path(folder, name)).is_file():
        return _text(CREDENTIALS, path)
    return None


def secrets_read_here(settings: BaseSettings) -> list[str]:
    """The secrets that the settings have as this process reads them."""
    return [
        name
        for name in secret_names(type(settings).model_fields)
        if is_secret(name, value := getattr(settings, name)) and _read_here(settings, name) == _plain(value)
    ]


def secret_found_here(settings: BaseSettings, name: str) -> str | SecretStr:
    """A secret as this process reads it. Raises UserError if it finds none."""
    text = _read_here(settings, name)
    if text is None:
        raise UserError(f"{name.upper()} is set on the machine of the deployment but not here; every machine needs it")
    return text if name in _URLS else SecretStr(text)


def _read_here(settings: BaseSettings, name: str) -> str | None:
    text = read_secret(name)
    check = _KEYS.get(name)
    if check is None:
        return text
    if text is None:
        text = read_key(Path(getattr(settings, f"{name}_file")))
    return None if text is None else check(text)


def _plain(value: str | SecretStr) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _text(variable: str, path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{variable}: cannot read {path} ({getattr(error, 'strerror', None) or 'not a text'})"
        ) from error


def key_file_of(settings: BaseSettings, name: str) -> Path | None:
    """The file that a key comes from; None if it is given otherwise."""
    if name.upper() in os.environ:
        return None
    given = Path(os.environ.get(CREDENTIALS, ""), name)
    return given if CREDENTIALS in os.environ and given.is_file() else Path(getattr(settings, f"{name}_file"))


class SecretFiles(PydanticBaseSettingsSource):
    """Secrets that are given as files."""

    def __init__(self, settings_class: type[BaseSettings]) -> None:
        super().__init__(settings_class)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[str | None, str, bool]:
        """The text of a secret's file."""
        return read_secret(field_name), field_name, False

    def __call__(self) -> dict[str, str]:
        found = {name: read_secret(name) for name in secret_names(self.settings_cls.model_fields)}
        return {name: text for name, text in found.items() if text is not None}
