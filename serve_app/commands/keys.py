"""`invoices keys`: replaces the keys of the deployment, while the service runs."""

import time
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import SecretStr

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.settings import Settings
    from serve_app.settings.keys import KeyKind
    from serve_app.store.base import Store

keys_app = typer.Typer(no_args_is_help=True, help="Rotate the keys of the deployment.")


class Which(StrEnum):
    ENCRYPTION = "encryption"
    SIGNING = "signing"


WhichArgument = Annotated[Which, typer.Argument(help="The key that encrypts secrets, or the key that signs links.")]


@keys_app.command("rotate")
def rotate(
    which: WhichArgument,
    prepare: Annotated[
        bool,
        typer.Option(
            "--prepare", help="Only add the new key after the others, so that you can copy it to other machines."
        ),
    ] = False,
    promote: Annotated[bool, typer.Option("--promote", help="Use the prepared key.")] = False,
) -> None:
    """Add a new key before the old one in its file, and encrypt all secrets with it. The old key stays valid until
    `invoices keys retire`."""
    settings, kind, path = _place(which)
    keys = _keys_in_file(kind, path)
    new = [keys[-1], *keys[:-1]] if promote else [*keys, kind.make()] if prepare else [kind.make(), *keys]
    if promote and len(keys) == 1:
        raise CommandError(f"there is no prepared {kind.name} in {path}")
    _write(kind, path, new)
    _record(settings, which, "prepared" if prepare else "promoted" if promote else "rotated", new)
    say(f"{path} has {len(new)} keys now; {'the last one is new' if prepare else 'the first one is now used'}.")
    if prepare:
        say("Copy the file to all machines, then run this command with --promote.")
    elif which is Which.ENCRYPTION:
        _wait_for_readers()
        _say_sealed(_resealed(settings, new))


@keys_app.command("reseal")
def reseal() -> None:
    """Encrypt all secrets with the first encryption key, after a change in the environment or in a read-only file."""
    from serve_app.settings.keys import with_keys

    settings = with_keys(checked_settings(), secrets_exist=True)
    assert settings.encryption_key is not None  # noqa: S101 - `with_keys` sets it
    from serve_app.keys.rules import encryption_keys_in

    _say_sealed(_resealed(settings, encryption_keys_in(settings.encryption_key.get_secret_value())))


@keys_app.command("retire")
def retire(
    which: WhichArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove all keys except the current one. Secrets are encrypted again first; links signed with an old key
    expire."""
    settings, kind, path = _place(which)
    current, *old = _keys_in_file(kind, path)
    if not old:
        raise CommandError(f"{path} has only one {kind.name}; see: invoices keys rotate {which}")
    if which is Which.ENCRYPTION:
        _say_sealed(_resealed(settings, [current, *old]))
    elif not yes:
        _ask_about_links(path)
    _write(kind, path, [current])
    _record(settings, which, "retired", [current])
    say(f"{path} has only the current key.")


def _place(which: Which) -> "tuple[Settings, KeyKind, Path]":
    """The settings, the kind and the file of the key. Raises CommandError if the key is not in its file."""
    from serve_app.settings.keys import ENCRYPTION, SIGNING

    settings = checked_settings()
    kind = ENCRYPTION if which is Which.ENCRYPTION else SIGNING
    given, file = (
        (settings.encryption_key, settings.encryption_key_file)
        if which is Which.ENCRYPTION
        else (settings.signing_key, settings.signing_key_file)
    )
    if given is not None:
        separator = "a comma" if kind.joined_by == "," else "a line break"
        after = ", restart the service, and run: invoices keys reseal" if which is Which.ENCRYPTION else ""
        raise CommandError(
            f"{kind.setting} is set in the environment: add the new key there before the old one, separated by "
            f"{separator}{after}"
        )
    return settings, kind, Path(file)


def _keys_in_file(kind: "KeyKind", path: Path) -> list[str]:
    from serve_app.keys.files import read_key

    text = read_key(path)
    if text is None:
        raise CommandError(f"there is no {kind.name} in {path} yet")
    return list(kind.read(text))


def _write(kind: "KeyKind", path: Path, keys: list[str]) -> None:
    from serve_app.keys.files import replace_key

    try:
        replace_key(path, kind.joined_by.join(keys))
    except OSError as error:
        raise CommandError(
            f"cannot write {path} ({error.strerror}): add the new key before the old one in the source of this file"
        ) from error


def _wait_for_readers() -> None:
    """Until the processes of the service on this machine have noticed the new key."""
    from serve_app.keys.ring import LOOK_SECONDS

    time.sleep(2 * LOOK_SECONDS)


def _resealed(settings: "Settings", keys: list[str]) -> int:
    from serve_app.services.exports.connections import reseal_connections
    from serve_app.services.webhooks.resealing import reseal
    from serve_app.wiring.keys import build_sealer

    keyed = settings.model_copy(update={"encryption_key": SecretStr(",".join(keys))})

    async def work(store: "Store") -> int:
        sealer = build_sealer(keyed)
        count = await reseal(store.endpoints, sealer)
        connections = await reseal_connections(store.ledger_connections, sealer)
        await record(store, None, "secrets.resealed", endpoints=count, connections=connections)
        return count

    return run_on_store(keyed, work)


def _record(settings: "Settings", which: Which, verb: str, keys: list[str]) -> None:
    """Note what was done to a key, and how many its file has now."""
    run_on_store(settings, lambda store: record(store, None, f"{which}_key.{verb}", keys=len(keys)))


def _say_sealed(count: int) -> None:
    say(f"The secrets of {count} webhook endpoints are encrypted with the current key.")


def _ask_about_links(path: Path) -> None:
    from serve_app.services.approval.links import LINK_LIFE

    age = timedelta(seconds=max(0.0, time.time() - path.stat().st_mtime))
    if age < LINK_LIFE:
        say(f"The keys were changed {age.days} days ago. Links in e-mails, signed with an old key, work for 14 days.")
        typer.confirm("Removing the old keys ends these links. Remove them?", abort=True)
