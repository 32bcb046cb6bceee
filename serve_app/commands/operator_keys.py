"""`invoices operator key`: the keys of the API that manages accounts."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import record
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import complain, print_table, say
from serve_app.domain.account import Scope

if TYPE_CHECKING:
    from serve_app.domain.operator_key import OperatorKey
    from serve_app.services.accounts.operator_keys import OperatorKeyService
    from serve_app.store.base import Store

T = TypeVar("T")

operator_app = typer.Typer(no_args_is_help=True, help="Manage the API for operators.")
operator_key_app = typer.Typer(no_args_is_help=True, help="Create, list and revoke keys of operators.")
operator_app.add_typer(operator_key_app, name="key")


@operator_key_app.command("create")
def create_operator_key(
    name: Annotated[str, typer.Option(help="What the key is for.")] = "key",
    scope: Annotated[Scope, typer.Option(help="full: everything; read: only GET.")] = Scope.FULL,
) -> None:
    """Create an operator key and print it. It is shown only once. It can manage all accounts."""

    async def work(store: "Store", service: "OperatorKeyService") -> "tuple[OperatorKey, str]":
        made, raw = await service.create(name, scope)
        await record(store, None, "operator_key.created", made.name, scope=made.scope, prefix=made.prefix)
        return made, raw

    key, raw = _with_keys(work)
    say(f"key           {key.id}")
    say(f"operator key  {raw}")
    if not checked_settings().operator_api:
        complain("The API is off: set OPERATOR_API=true and deploy.")


@operator_key_app.command("list")
def list_operator_keys() -> None:
    """List the operator keys, including revoked ones, newest first."""
    print_table([_row(key) for key in _with_keys(lambda _, service: service.list_all())])


@operator_key_app.command("revoke")
def revoke_operator_key(
    key: Annotated[UUID, typer.Argument(metavar="KEY", help="The key's id, see: invoices operator key list.")],
) -> None:
    """Revoke an operator key: it stops working immediately."""

    async def work(store: "Store", service: "OperatorKeyService") -> None:
        revoked = await service.revoke(key)
        await record(store, None, "operator_key.revoked", revoked.name, scope=revoked.scope, prefix=revoked.prefix)

    _with_keys(work)
    say(f"revoked  {key}")


def _row(key: "OperatorKey") -> tuple[str, ...]:
    state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "valid"
    return str(key.id), f"{key.prefix}...", key.scope, f"{key.created_at:%Y-%m-%d}", state, key.name


def _with_keys(work: "Callable[[Store, OperatorKeyService], Awaitable[T]]") -> T:
    from serve_app.wiring.accounts import build_operator_keys

    return run_on_store(checked_settings(), lambda store: work(store, build_operator_keys(store)))
