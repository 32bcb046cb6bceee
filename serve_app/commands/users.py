"""`invoices user` and `invoices audit`: the people of the web application. They need no running service."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import command_line_actor, record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.audit import AuditEntry
from serve_app.domain.person import Member, Person, Role
from serve_app.services.people.refusals import LastOwnerStays

if TYPE_CHECKING:
    from serve_app.services.people.members import MemberService
    from serve_app.settings import Settings
    from serve_app.store.base import Store

T = TypeVar("T")

FIRST_OWNER = "owner@localhost"
"""The person who is made with the first account."""

user_app = typer.Typer(no_args_is_help=True, help="Invite people to the web application and manage their roles.")

MailArgument = Annotated[str, typer.Argument(metavar="MAIL", help="The person's e-mail address.")]
OptionalAccount = Annotated[UUID | None, typer.Argument(metavar="ACCOUNT", help="The account's id.")]
AccountOption = Annotated[
    UUID | None,
    typer.Option("--account", metavar="ACCOUNT", help="The account's id; optional if there is only one account."),
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="The address of the service (default: PUBLIC_URL, or the service on this machine)."),
]


@user_app.command("invite")
def invite(
    mail: MailArgument,
    account: AccountOption = None,
    role: Annotated[
        Role | None, typer.Option(help="(default: owner for the first person of an account, then reviewer)")
    ] = None,
    name: Annotated[str, typer.Option(help="The person's name.")] = "",
    operator: Annotated[
        bool, typer.Option("--operator", help="Make the person an operator of the deployment.")
    ] = False,
    url: UrlOption = None,
) -> None:
    """Add a person to an account, and print a sign-in link that works once within 30 minutes."""

    async def work(store: "Store") -> tuple[UUID, Role, str]:
        members, account_id = _members(store), await _account(store, account)
        requested = role or (Role.REVIEWER if await members.of_account(account_id) else Role.OWNER)
        person, is_new = await members.invite(command_line_actor(), account_id, mail, requested, name)
        if not is_new:
            raise CommandError(f"{person.email} already belongs to the account; see: invoices user role")
        if operator:
            person = await members.make_operator(command_line_actor(), mail)
        return account_id, requested, await make_link(store, person, _base(url))

    account_id, given, link = _on_store(work)
    say(f"account  {account_id}")
    say(f"role     {given}{', operator' if operator else ''}")
    say(f"link     {link}")


@user_app.command("list")
def list_users(account: OptionalAccount = None) -> None:
    """List the people of an account, oldest membership first; without an account, the operators."""

    async def work(store: "Store") -> list[str]:
        if account is None:
            return [f"operator  {person.email}  {person.name}".rstrip() for person in await _members(store).operators()]
        return [_describe(member) for member in await _members(store).of_account(account)]

    for line in _on_store(work):
        say(line)


@user_app.command("role")
def set_role(
    mail: MailArgument, role: Annotated[Role, typer.Argument(metavar="ROLE")], account: AccountOption = None
) -> None:
    """Change a person's role in an account: owner, reviewer or viewer."""

    async def work(store: "Store") -> None:
        members, account_id = _members(store), await _account(store, account)
        await members.set_role(command_line_actor(), account_id, (await members.find(mail)).id, role)

    _on_store(work)
    say(f"role     {role}")


@user_app.command("remove")
def remove(
    mail: MailArgument,
    account: AccountOption = None,
    operator: Annotated[bool, typer.Option("--operator", help="Remove the operator role, not an account.")] = False,
) -> None:
    """Remove a person from an account immediately. A person without account and operator role is erased."""

    async def work(store: "Store") -> None:
        members = _members(store)
        if operator:
            await members.end_operator(command_line_actor(), mail)
            return
        account_id = await _account(store, account)
        await members.remove(command_line_actor(), account_id, (await members.find(mail)).id)

    _on_store(work)
    say(f"removed  {mail}")


@user_app.command("link")
def link(mail: MailArgument, url: UrlOption = None) -> None:
    """Print a sign-in link that works once within 30 minutes. Anyone with the link can sign in as this person. Do not
    send it by e-mail, where scanners would open it."""

    async def work(store: "Store") -> str:
        return await make_link(store, await _members(store).find(mail), _base(url))

    say(_on_store(work))


def audit(
    account: OptionalAccount = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of entries.")] = 50,
    after: Annotated[UUID | None, typer.Option(metavar="ID", help="Continue after this entry.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="All entries as CSV.")] = False,
) -> None:
    """List the changes in an account, newest first; without an account, changes to the deployment."""

    async def work(store: "Store") -> list[str]:
        if csv:
            from serve_app.services.packages.audit_csv import audit_table

            return [line.rstrip() async for line in audit_table(store.audit, account)]
        page = await store.audit.page(account, limit, after)
        return [_line(entry) for entry in page.items]

    for line in _on_store(work):
        say(line)


async def make_link(store: "Store", person: Person, base_url: str) -> str:
    """A link that signs the person in, which is written down in the trails of what the person may see."""
    from serve_app.services.people.sign_in import SignInLinks

    accounts = [membership.account_id for membership in await store.memberships.of_person(person.id)]
    for trail in (*accounts, None) if person.is_operator else accounts:
        await record(store, trail, "person.link_made", person.email)
    return await SignInLinks(store.sign_ins).make(person.id, base_url)


async def add_first_owner(store: "Store", account_id: UUID, mail: str, *, is_operator: bool) -> None:
    """The owner of a new account."""
    members = _members(store)
    await members.invite(command_line_actor(), account_id, mail, Role.OWNER)
    if is_operator:
        await members.make_operator(command_line_actor(), mail)


def first_link(settings: "Settings", base_url: str) -> str:
    """A link for the owner of the first account."""

    async def work(store: "Store") -> str:
        return await make_link(store, await _members(store).find(FIRST_OWNER), base_url)

    return run_on_store(settings, work)


def _on_store(work: "Callable[[Store], Awaitable[T]]") -> T:
    try:
        return run_on_store(checked_settings(), work)
    except LastOwnerStays:
        raise CommandError("an account needs at least one owner: make another person an owner first") from None


def _members(store: "Store") -> "MemberService":
    from serve_app.wiring.people import build_members

    return build_members(store)


async def _account(store: "Store", given: UUID | None) -> UUID:
    """The account that was named, or the only one."""
    if given is not None:
        return given
    page = await store.accounts.page(1)
    if not page.items:
        raise CommandError("there is no account; make one by invoices account create")
    if page.has_more:
        raise CommandError("there are several accounts; name one by --account, see: invoices account list")
    return page.items[0].id


def _base(url: str | None) -> str:
    from serve_app.commands.local_graph import SERVE_PORT
    from serve_app.settings.reading import read_settings
    from serve_app.system.folder_lock import port_of_service

    if url:
        return url
    settings = read_settings()
    port = port_of_service(settings.local_folders) or SERVE_PORT
    return settings.public_url or f"http://127.0.0.1:{port}"


def _describe(member: Member) -> str:
    person = member.person
    operator = "operator" if person.is_operator else ""
    return f"{member.role:8}  {member.since:%Y-%m-%d}  {person.email}  {person.name}  {operator}".rstrip()


def _line(entry: AuditEntry) -> str:
    details = " ".join(f"{name}={value}" for name, value in entry.details.items())
    parts = (f"{entry.at:%Y-%m-%dT%H:%M:%SZ}", str(entry.id), entry.actor.name, entry.action, entry.target, details)
    return "  ".join(part for part in parts if part)
