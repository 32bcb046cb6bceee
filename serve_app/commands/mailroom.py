"""`invoices mail ...`: private addresses, mails that came in, and whether mail arrives at all."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.commands.terminal import say
from serve_app.domain.inbound_mail import HeldFor, InboundMail, MailPart, MailQuery, MailState
from serve_app.domain.mail_address import Answering, Bodies, SenderPolicy
from serve_app.domain.mail_trust import claimed_sender
from serve_app.domain.plain_text import one_line, shortened
from serve_app.services.mailroom.senders import senders_in

if TYPE_CHECKING:
    from serve_app.services.mailroom.bundle import Mailroom
    from serve_app.store.base import Store

T = TypeVar("T")

room_app = typer.Typer()
_SUBJECT_LENGTH = 60
_TEST_SECONDS = 120

AddressArgument = Annotated[
    UUID, typer.Argument(metavar="ADDRESS", help="The address's id, see: invoices mail addresses.")
]
PartArgument = Annotated[str, typer.Argument(metavar="PART", help="The part's number, see: invoices mail show.")]
MailArgument = Annotated[UUID, typer.Argument(metavar="MAIL", help="The mail's id, see: invoices mail list.")]


@room_app.command("address")
def make_address(
    account: AccountArgument,
    label: Annotated[str, typer.Option(help="Its name.")] = "",
    prefix: Annotated[str, typer.Option(help="Its prefix (default: the label).")] = "",
) -> None:
    """Create a private address and print it."""
    address, written = _with_room(lambda store, room: _made(store, room, account, label, prefix))
    say(f"id       {address}")
    say(f"address  {written}")


@room_app.command("addresses")
def list_addresses(account: AccountArgument) -> None:
    """List an account's private addresses, newest first."""

    async def work(_: "Store", room: "Mailroom") -> list[str]:
        found = await room.addresses.of_account(account)
        return [
            f"{each.id}  {room.addresses.written(each)}  {each.policy}  {each.label}"
            + (f"  ends {each.ends_at:%Y-%m-%d}" if each.ends_at else "")
            for each in found
        ]

    for line in _with_room(work):
        say(line.rstrip())


@room_app.command("change")
def change(
    account: AccountArgument,
    address: AddressArgument,
    label: Annotated[str | None, typer.Option(help="Its name.")] = None,
    tag: Annotated[str | None, typer.Option(help="Entity tag of its invoices; empty: none.")] = None,
    policy: Annotated[
        SenderPolicy | None, typer.Option(help="The accepted senders; mails from others are held.")
    ] = None,
    senders: Annotated[
        str | None, typer.Option(help="Allowed senders: addresses and domains, separated by commas.")
    ] = None,
    texts: Annotated[Bodies | None, typer.Option(help="When to read the text of a mail as a document.")] = None,
    answers: Annotated[Answering | None, typer.Option(help="When to answer the sender.")] = None,
) -> None:
    """Change the rules for new mails to an address."""

    async def work(store: "Store", room: "Mailroom") -> None:
        listed = None if senders is None else senders_in(senders)
        rules = {"label": label, "entity_tag": tag, "policy": policy, "allowed": listed, "bodies": texts}
        given = {name: value for name, value in (rules | {"answering": answers}).items() if value is not None}
        changed = await room.addresses.change(account, address, **given)
        await record(store, account, "mail_address.changed", str(address), policy=changed.policy)

    _with_room(work)
    say("changed")


@room_app.command("renew")
def renew(account: AccountArgument, address: AddressArgument) -> None:
    """Replace an address. The old one accepts mail for another 30 days."""

    async def work(store: "Store", room: "Mailroom") -> str:
        new = await room.addresses.renew(account, address)
        await record(store, account, "mail_address.replaced", str(address), new=new.id)
        return room.addresses.written(new)

    say(f"address  {_with_room(work)}")


@room_app.command("retire")
def retire(account: AccountArgument, address: AddressArgument) -> None:
    """Disable an address; senders get a notice."""

    async def work(store: "Store", room: "Mailroom") -> None:
        await room.addresses.retire(account, address)
        await record(store, account, "mail_address.retired", str(address))

    _with_room(work)
    say("retired")


@room_app.command("list")
def list_mails(
    account: AccountArgument,
    held: Annotated[bool, typer.Option("--held", help="Only mails held because of their sender.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of entries.")] = 25,
) -> None:
    """List received mails, newest first."""
    query = MailQuery(held_for=HeldFor.SENDER if held else None)
    for mail in _with_room(lambda _, room: room.mails.page(account, query, limit)).items:
        say(_line(mail))


@room_app.command("show")
def show(account: AccountArgument, mail: MailArgument) -> None:
    """Show a mail, its sender and the outcome of each part."""
    found = _with_room(lambda _, room: room.mails.get(account, mail))
    say(_line(found))
    for words in found.verdict.words if found.verdict else ():
        say(f"  {words}")
    if (asked := found.confirmation) is not None:
        say(f"  {asked.provider} asks you to confirm forwarding: {asked.code or ''} {asked.link or ''}".rstrip())
    for part in found.parts:
        say(f"  {_part(part)}")


@room_app.command("raw")
def raw(account: AccountArgument, mail: MailArgument) -> None:
    """Write the original mail to the standard output."""
    sys.stdout.buffer.write(_with_room(lambda _, room: room.mails.raw(account, mail)))


@room_app.command("admit")
def admit(
    account: AccountArgument,
    mail: MailArgument,
    always: Annotated[
        str, typer.Option("--always", metavar="SENDER", help="Also read all later mails from this address or domain.")
    ] = "",
) -> None:
    """Read a held mail."""

    async def work(store: "Store", room: "Mailroom") -> InboundMail:
        if always:
            await room.addresses.allow(account, (await room.mails.get(account, mail)).address_id, always)
        admitted = await room.mails.admit(account, mail)
        await record(store, account, "mail.admitted", str(mail), always=always or None)
        return admitted

    say(str(_with_room(work).state))


@room_app.command("discard")
def discard(
    account: AccountArgument,
    mail: MailArgument,
    all_of_sender: Annotated[
        bool, typer.Option("--all", help="Also the sender's other held mails and all later ones.")
    ] = False,
) -> None:
    """Discard a held mail."""

    async def work(store: "Store", room: "Mailroom") -> list[str]:
        discarded = await room.mails.discard(account, mail)
        lines, sender = [str(discarded.state)], claimed_sender(discarded) if all_of_sender else ""
        if sender:
            await room.addresses.deny(account, discarded.address_id, sender)
            others = await room.mails.discard_all_of(account, discarded.address_id, sender)
            lines.append(f"and {others} more of {sender}; later ones will be, too")
        await record(store, account, "mail.discarded", str(mail), all_of=sender or None)
        return lines

    for line in _with_room(work):
        say(line)


@room_app.command("read")
def read_part(account: AccountArgument, mail: MailArgument, part: PartArgument) -> None:
    """Read a part that was ignored."""

    async def work(store: "Store", room: "Mailroom") -> None:
        before = await room.mails.get(account, mail)
        if await room.mails.read_anyway(account, mail, part) == before:
            raise CommandError(
                f"part {part} cannot be read: it does not exist, was not ignored, or its bytes are deleted"
            )
        await record(store, account, "mail.part_read", str(mail), part=part)

    _with_room(work)
    say("queued")


@room_app.command("ignore")
def ignore_picture(account: AccountArgument, mail: MailArgument, part: PartArgument) -> None:
    """Ignore a picture in all later mails to the same address."""

    async def work(store: "Store", room: "Mailroom") -> None:
        found = await room.mails.get(account, mail)
        picture = found.part(part)
        if picture is None or not picture.sha256 or not (picture.mime_type or "").startswith("image/"):
            raise CommandError(f"part {part} is not a picture")
        await room.addresses.ignore_picture(account, found.address_id, picture.sha256)
        await record(store, account, "mail.picture_ignored", str(mail), part=part)

    _with_room(work)
    say("ignored in later mails")


@room_app.command("again")
def again(account: AccountArgument, mail: MailArgument) -> None:
    """Unpack a mail again. Its invoices stay."""

    async def work(store: "Store", room: "Mailroom") -> InboundMail:
        found = await room.mails.read_again(account, mail)
        if found.state is MailState.QUEUED:
            await record(store, account, "mail.read_again", str(mail))
        return found

    say(str(_with_room(work).state))


@room_app.command("test")
def send_test(account: AccountArgument, address: AddressArgument) -> None:
    """Send a test mail to an address and wait for it."""

    async def work(store: "Store", room: "Mailroom") -> InboundMail | None:
        token = await room.trials.send(account, address)
        await record(store, account, "mail_address.tested", str(address))
        say("sent the mail server has accepted it")
        for _ in range(_TEST_SECONDS):
            if (found := await room.trials.find(account, address, token)) is not None:
                return found
            await asyncio.sleep(1)
        return None

    found = _with_room(work)
    if found is None:
        raise CommandError(
            f"the mail has not arrived within {_TEST_SECONDS} s. Check the queue and the log of the mail server. To "
            "check external mail, run: invoices mail check"
        )
    say(f"arrived  {found.id} by {found.envelope.way}")


@room_app.command("check")
def check() -> None:
    """Check whether external mail can arrive: MX, addresses, port 25, encryption, certificate."""
    found = _with_room(lambda _, room: room.reach())
    for each in found:
        say(f"{ {True: 'good', False: 'BAD', None: '-'}[each.is_good]:4}  {each.what}: {each.words}")
    if any(each.is_good is False for each in found):
        raise typer.Exit(1)


async def _made(store: "Store", room: "Mailroom", account: UUID, label: str, prefix: str) -> tuple[UUID, str]:
    address = await room.addresses.create(account, prefix or label, label=label)
    await record(store, account, "mail_address.made", str(address.id), label=address.label or None)
    return address.id, room.addresses.written(address)


def _with_room(work: "Callable[[Store, Mailroom], Awaitable[T]]") -> T:
    """Run `work` on the configured store. Raises CommandError if it does not find something."""
    from serve_app.store.factory import open_files
    from serve_app.wiring.mailroom import build_mailroom

    settings = checked_settings()

    async def run() -> T:
        async with open_for_command(settings) as store:
            return await work(store, build_mailroom(store, open_files(settings), settings))

    return asyncio.run(run())


def _line(mail: InboundMail) -> str:
    state = f"{mail.state}:{mail.held_for}" if mail.held_for else str(mail.state)
    subject = shortened(one_line(mail.heading.subject), _SUBJECT_LENGTH)
    return f"{mail.id}  {mail.received_at:%Y-%m-%d %H:%M}  {state}  {mail.heading.sender or '-'}  {subject}".rstrip()


def _part(part: MailPart) -> str:
    named = one_line(part.name or part.mime_type or "")
    invoice = f" {part.invoice_id}" if part.invoice_id else ""
    return f"{part.path}  {part.outcome}{invoice}  {named}  {part.reason}".rstrip()
