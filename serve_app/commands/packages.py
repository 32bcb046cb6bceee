"""`invoices package`: an account's invoices as a file that is verified without the service."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.services.packages.package import Packaged, PackageRequest
    from serve_app.services.packages.signature import PackageSigner
    from serve_app.settings import Settings

package_app = typer.Typer(no_args_is_help=True, help="Archive invoices so that anybody can verify them.")

_DAYS = ["%Y-%m-%d"]


@package_app.command()
def create(
    account: AccountArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The package, such as 2026.zip.")],
    invoice: Annotated[UUID | None, typer.Option(metavar="ID", help="This invoice only.")] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=_DAYS, help="Only invoices issued on this day or later.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(formats=_DAYS, help="Only invoices issued on this day or earlier.")
    ] = None,
) -> None:
    """Write documents, values, corrections, events, exports and the audit trail into a signed package."""
    from serve_app.services.packages.package import PackageRequest

    if not file.absolute().parent.is_dir():
        raise CommandError(f"{file.parent} is not a folder")
    days = (None if day is None else day.date() for day in (since, until))
    done = asyncio.run(_create(file, PackageRequest(account, invoice, *days), checked_settings()))
    say(f"{file}: {done.invoices} invoices, {done.files} files, sha256 of the manifest {done.sha256}")
    for id in done.missing:
        say(f"the document of invoice {id} was removed before its values")


@package_app.command()
def key() -> None:
    """Print the public key that packages are verified with. Keep it apart from them."""
    say(_signer(checked_settings()).public_key.decode().strip())


@package_app.command()
def script() -> None:
    """Print the script that verifies packages."""
    from serve_app.services.packages.package import script as verifying_script

    say(verifying_script().decode().rstrip())


async def _create(file: Path, request: "PackageRequest", settings: "Settings") -> "Packaged":
    from serve_app.services.packages.package import PackageWriter
    from serve_app.store.files.factory import open_files

    async with open_for_command(settings) as store:
        if await store.accounts.get(request.account_id) is None:
            raise LookupError(f"there is no account {request.account_id}")
        files = open_files(settings)
        try:
            done = await PackageWriter(store, files, _signer(settings)).write(file, request)
            await record(store, request.account_id, "package.made", invoices=done.invoices, sha256=done.sha256)
        finally:
            await files.close()
    return done


def _signer(settings: "Settings") -> "PackageSigner":
    from serve_app.services.packages.signature import PackageSigner
    from serve_app.settings.keys import with_keys
    from serve_app.wiring.keys import build_signing_keys

    current, *_ = build_signing_keys(with_keys(settings))()
    return PackageSigner(current)
