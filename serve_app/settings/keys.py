"""The keys of a deployment: as the settings give them, or read from their files, which a first start may create."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from serve_app.domain.user_error import UserError
from serve_app.keys.files import make_key, read_key
from serve_app.keys.rules import MAKE_A_KEY, encryption_keys_in, signing_keys_in
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings, sqlite_path

_SIGNING_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class KeyKind:
    """What distinguishes the two keys. `read` makes single keys of a text, and `joined_by` joins them again."""

    name: str
    setting: str
    read: Callable[[str], Sequence[str]]
    joined_by: str
    make: Callable[[], str]

    def check(self, text: str) -> str:
        """The key or the keys in a text. Raises UserError if it breaks the rule."""
        return self.joined_by.join(self.read(text))


SIGNING = KeyKind(
    "signing key", "SIGNING_KEY", signing_keys_in, "\n", lambda: secrets.token_urlsafe(_SIGNING_KEY_BYTES)
)
ENCRYPTION = KeyKind("encryption key", "ENCRYPTION_KEY", encryption_keys_in, ",", new_key)


class NoKeyYet(UserError):
    """There is no key, and the first start would make one."""


def with_keys(settings: Settings, *, nodes: int = 1, secrets_exist: bool = False, makes: bool = True) -> Settings:
    """The same settings with both keys set. A key that is not set is read from its file. If the file is missing, it is
    created with a new key, unless that would be a second one: of several machines each would make its own, and secrets
    that exist are sealed with another. `nodes` is how many nodes the Ray cluster has, `secrets_exist` whether the store
    holds secrets. Unless it `makes` keys, NoKeyYet is raised where it would.

    Raises UserError if a key is missing, cannot be read or created, or breaks its rule.
    """
    obstacle = _obstacle(settings, nodes)
    sealed = "it encrypts existing secrets of webhook endpoints" if secrets_exist else None
    signing = settings.signing_key or _kept(SIGNING, Path(settings.signing_key_file), obstacle, makes=makes)
    encryption = settings.encryption_key or _kept(
        ENCRYPTION, Path(settings.encryption_key_file), sealed or obstacle, makes=makes
    )
    return settings.model_copy(update={"signing_key": signing, "encryption_key": encryption})


def _obstacle(settings: Settings, nodes: int) -> str | None:
    """Why no key may be made here."""
    if nodes > 1:
        return f"the Ray cluster has {nodes} nodes, which need the same key"
    if sqlite_path(settings.database_url) is None or settings.files_folder is None:
        return "other machines that use the same database or files need the same key"
    return None


def _kept(kind: KeyKind, path: Path, obstacle: str | None, *, makes: bool) -> SecretStr:
    """The key in the file, or a new one if there is no file and no `obstacle`."""
    try:
        text = read_key(path)
        if text is None:
            if obstacle is not None:
                raise UserError(_not_made(kind, path, obstacle))
            if not makes:
                raise NoKeyYet(f"there is no {kind.name} in {path} yet; the first start makes it")
            text = make_key(path, kind.make)
    except OSError as error:
        raise UserError(f"cannot read or create the key {path} ({error.strerror})") from error
    try:
        return SecretStr(kind.check(text))
    except UserError as error:
        raise UserError(
            f"{kind.setting}_FILE: {path} does not contain a usable key: {error}; or restore your copy of the file"
        ) from None


def _not_made(kind: KeyKind, path: Path, obstacle: str) -> str:
    return (
        f"there is no {kind.name} in {path}, and {kind.setting} is not set. The service does not create a key, because "
        f"{obstacle}. Restore your copy, or set {kind.setting} to the same key on every machine. To create a first "
        f"key, or to replace a lost one, run: {MAKE_A_KEY}"
    )
