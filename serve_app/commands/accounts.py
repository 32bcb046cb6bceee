"""`invoices account` and `invoices key`: who may use the API. They need no running service."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.account import ApiKey, Plan, Scope
from serve_app.services.accounts.changes import AccountAmendment

if TYPE_CHECKING:
    from serve_app.services.accounts.changes import AccountChanges
    from serve_app.services.accounts.service import AccountService
    from serve_app.store.base import Store

T = TypeVar("T")

account_app = typer.Typer(no_args_is_help=True, help="Create, change and delete accounts, which own invoices and keys.")
key_app = typer.Typer(no_args_is_help=True, help="Create, list and revoke API keys.")

AccountArgument = Annotated[UUID, typer.Argument(metavar="ACCOUNT", help="The account's id.")]


@account_app.command("create")
def create_account(
    plan: Annotated[str, typer.Option(help="The plan, see: invoices account plans list.")] = Plan.FREE.name,
    email: Annotated[str | None, typer.Option(help="The owner's e-mail address.")] = None,
) -> None:
    """Create an account with a first key, and print both. The key is shown only once. --email adds the first person who
    can sign in, see `invoices user link`."""
    account_id, raw = create_account_with_key(plan, email, owner=email)
    say(f"account  {account_id}")
    say(f"API key  {raw}")


@account_app.command("plan")
def set_plan(account: AccountArgument, plan: Annotated[str, typer.Argument(metavar="PLAN")]) -> None:
    """Set an account's plan: free, pro, business, unlimited or one of your own. This month's use still counts."""
    with_changes(lambda changes: changes.amend(command_line_actor(), account, AccountAmendment(plan=plan)))
    say(f"plan     {plan}")


@account_app.command("email")
def set_email(
    account: AccountArgument,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Such as name@example.com.")],
) -> None:
    """Set the e-mail address of an account's owner, who is notified if the service pauses a webhook endpoint."""
    with_changes(lambda changes: changes.amend(command_line_actor(), account, AccountAmendment(email=address)))
    say(f"address  {address}")


@account_app.command("target-precision")
def set_target_precision(
    account: AccountArgument,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="0.99, 0.995, 0.999 or default.")],
) -> None:
    """Set the share of `high` values that must be right for an account, from its next document on. default follows
    TARGET_PRECISION."""
    from serve_app.wiring.accounts import build_targets

    settings = checked_settings()
    run_on_store(settings, lambda store: build_targets(store, settings).choose(command_line_actor(), account, target))
    say(f"target   {target}")


@key_app.command("create")
def create_key(
    account: AccountArgument,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "key",
    scope: Annotated[Scope, typer.Option(help="full: everything; read: only GET.")] = Scope.FULL,
    test: Annotated[bool, typer.Option("--test", help="A key of test mode, whose data is apart.")] = False,
) -> None:
    """Create a key and print it. It is shown only once."""
    actor = command_line_actor()
    key, raw = with_changes(lambda changes: changes.create_key(actor, account, name, scope, livemode=not test))
    say(f"key      {key.id}")
    say(f"API key  {raw}")


@key_app.command("list")
def list_keys(account: AccountArgument) -> None:
    """List an account's keys, including revoked ones, newest first."""
    for key in with_accounts(lambda _, accounts: accounts.list_keys(account)):
        say(_describe(key))


@key_app.command("revoke")
def revoke_key(
    account: AccountArgument,
    key: Annotated[UUID, typer.Argument(metavar="KEY", help="The key's id, see: invoices key list.")],
) -> None:
    """Revoke a key: it stops working immediately."""
    if not with_changes(lambda changes: changes.revoke_key(command_line_actor(), account, key)):
        raise CommandError(f"the account has no valid key {key}")
    say(f"revoked  {key}")


def _describe(key: ApiKey) -> str:
    state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "valid"
    return f"{key.id}  {key.prefix}...  {key.scope:4}  {key.created_at:%Y-%m-%d}  {state}  {key.name}"


def create_account_with_key(
    plan: str, email: str | None = None, *, owner: str | None = None, runs_deployment: bool = False
) -> tuple[UUID, str]:
    """Create an account; returns its id and its first key in raw form. `owner` is the address of a person who can sign
    in, and may run the deployment."""
    from serve_app.commands.users import add_first_owner
    from serve_app.wiring.accounts import build_account_changes

    async def create(store: "Store") -> tuple[UUID, str]:
        changes, actor = build_account_changes(store), command_line_actor()
        account = await changes.create(actor, plan, email)
        _, raw = await changes.create_key(actor, account.id, "first key")
        if owner is not None:
            await add_first_owner(store, account.id, owner, is_operator=runs_deployment)
        return account.id, raw

    return run_on_store(checked_settings(), create)


def with_accounts(work: "Callable[[Store, AccountService], Awaitable[T]]") -> T:
    """Run `work` on the configured store, and return its result."""
    from serve_app.wiring.accounts import build_accounts

    return run_on_store(checked_settings(), lambda store: work(store, build_accounts(store)))


def with_changes(work: "Callable[[AccountChanges], Awaitable[T]]") -> T:
    """The same for a change that is noted in the audit trails."""
    from serve_app.wiring.accounts import build_account_changes

    return run_on_store(checked_settings(), lambda store: work(build_account_changes(store)))
