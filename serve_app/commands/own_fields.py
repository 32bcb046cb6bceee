"""`invoices field`: fields that accounts add to their invoices."""

from typing import TYPE_CHECKING, Annotated

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.errors import ServiceError
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType, name_from
from serve_app.services.own_fields.definitions import OwnFieldService
from serve_app.services.people.audit import AuditTrail

if TYPE_CHECKING:
    from serve_app.store.base import Store

field_app = typer.Typer(no_args_is_help=True, help="Show, add and remove the fields that an account adds.")


@field_app.command("list")
def list_fields(account: AccountArgument) -> None:
    """Print an account's own fields: name, scope, type, whether it is required, label."""

    async def work(store: "Store") -> list[OwnField]:
        return await store.own_fields.of_account(account)

    for field in run_on_store(checked_settings(), work):
        say(f"{field.name}  {field.scope}  {field.type}  {'required' if field.required else 'optional'}  {field.label}")


@field_app.command("add")
def add_field(
    account: AccountArgument,
    label: Annotated[str, typer.Argument(metavar="LABEL", help="What people call it, such as 'Delivery date'.")],
    name: Annotated[str, typer.Option(help="Its key in `custom` of invoices; by default made of the label.")] = "",
    type: Annotated[OwnFieldType, typer.Option(help="What its values are.")] = OwnFieldType.TEXT,
    scope: Annotated[OwnFieldScope, typer.Option(help="What a value is about.")] = OwnFieldScope.HEADER,
    choice: Annotated[list[str] | None, typer.Option(help="A value that it can have; repeat it.")] = None,
    caption: Annotated[list[str] | None, typer.Option(help="Words printed beside or above it; repeat it.")] = None,
    required: Annotated[bool, typer.Option("--required", help="Invoices without a sure value need a person.")] = False,
) -> None:
    """Add an own field, or replace the one of its name."""

    async def work(store: "Store") -> OwnField:
        if await store.accounts.get(account) is None:
            raise CommandError(f"there is no account {account}")
        field = OwnField(
            name=name or name_from(label),
            label=label,
            type=type,
            scope=scope,
            choices=choice or [],
            captions=caption or [],
            required=required,
        )
        return await _service(store).put(account, field, command_line_actor())

    try:
        say(run_on_store(checked_settings(), work).name)
    except ServiceError as error:
        raise CommandError(error.message) from error


@field_app.command("remove")
def remove_field(
    account: AccountArgument, name: Annotated[str, typer.Argument(metavar="NAME", help="The field's name.")]
) -> None:
    """Remove an own field. Invoices keep its values."""

    async def work(store: "Store") -> None:
        await _service(store).remove(account, name, command_line_actor())

    try:
        run_on_store(checked_settings(), work)
    except ServiceError as error:
        raise CommandError(error.message) from error
    say(f"removed {name}")


def _service(store: "Store") -> OwnFieldService:
    return OwnFieldService(store.own_fields, AuditTrail(store.audit))
