"""Addresses and mails on the command line."""

import re
import socket
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr

from serve_app.commands.listening import listening
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.domain.inbound_mail import (
    Confirmation,
    Heading,
    InboundMail,
    MailPart,
    Outcome,
    Verdict,
)
from serve_app.domain.mail_address import Answering, Bodies, SenderPolicy
from serve_app.domain.mail_reachability import Finding
from serve_app.domain.user_error import UserError
from serve_app.mail.reachability.check import ReachabilityCheck
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_files
from tests.cli.command_line import UNKNOWN, Fails, run
from tests.support.inbound import HELD, PLAIN, add_address, add_mail
from tests.support.until import until

LOGO = MailPart("3", Outcome.IGNORED, "It is a logo.", "logo.png", "image/png", sha256="aa")


def held() -> InboundMail:
    """A mail that waits for a decision."""

    settings = checked_settings()

    async def add(store: Any) -> InboundMail:
        found = await store.accounts.page(1)
        address = await add_address(store, found.items[0].id)
        heading = Heading("anna@shop.test", "Anna", "Invoice\n17")
        parts = (MailPart("1", Outcome.WAITING, "", "a.pdf"), MailPart("2", Outcome.IGNORED, "It is empty."), LOGO)
        verdict = Verdict(("shop.test",), ("DKIM: pass for shop.test",))
        asked = Confirmation("Gmail", "123456789")
        mail = await add_mail(store, address, **HELD, heading=heading, parts=parts, verdict=verdict, confirmation=asked)
        await open_files(settings).write(mail.file_key, PLAIN)
        return mail

    return run_on_store(settings, add)


def test_addresses_are_made_replaced_and_retired(account: str) -> None:
    said = run("mail", "address", account, "--label", "Acme Invoices")
    id, address = said.split()[1::2]
    assert re.fullmatch(r"acme-invoices-[a-z2-7]{16}@localhost", address)
    assert run("mail", "addresses", account) == f"{id}  {address}  anyone  Acme Invoices\n"
    new = run("mail", "renew", account, id).split()[1]
    assert new != address
    newest, old = run("mail", "addresses", account).splitlines()
    assert new in newest
    assert "ends" in old
    assert run("mail", "retire", account, newest.split()[0]) == "retired\n"


def test_a_held_mail_is_shown_and_admitted(account: str) -> None:
    mail = held()
    (line,) = run("mail", "list", account, "--held").splitlines()
    assert line.split()[0] == str(mail.id)
    assert "held:sender  anna@shop.test  Invoice 17" in line
    shown = run("mail", "show", account, str(mail.id))
    assert "DKIM: pass for shop.test" in shown
    assert "Gmail asks you to confirm forwarding: 123456789\n" in shown
    assert "1  waiting  a.pdf" in shown
    assert "2  ignored    It is empty." in shown
    assert run("mail", "admit", account, str(mail.id), "--always", "shop.test") == "queued\n"
    assert run("mail", "list", account, "--held") == ""

    async def allowed(store: Any) -> Any:
        return (await store.mail_addresses.get(mail.account_id, mail.address_id)).allowed

    assert run_on_store(checked_settings(), allowed) == ("shop.test",)


def test_a_mail_is_discarded_and_taken_apart_again(account: str) -> None:
    mail = held()
    assert run("mail", "discard", account, str(mail.id)) == "discarded\n"
    assert run("mail", "again", account, str(mail.id)) == "queued\n"


def test_all_mails_of_a_sender_are_discarded(account: str) -> None:
    mail = held()
    said = run("mail", "discard", account, str(mail.id), "--all")
    assert said == "discarded\nand 0 more of anna@shop.test; later ones will be, too\n"

    async def denied(store: Any) -> Any:
        return (await store.mail_addresses.get(mail.account_id, mail.address_id)).denied

    assert run_on_store(checked_settings(), denied) == ("anna@shop.test",)


def test_a_part_that_was_left_out_is_read_and_a_picture_never_again(account: str, fails: Fails) -> None:
    mail = held()
    run("mail", "discard", account, str(mail.id))
    assert "cannot be read" in fails("mail", "read", account, str(mail.id), "7")
    assert run("mail", "read", account, str(mail.id), "2") == "queued\n"
    assert "not a picture" in fails("mail", "ignore", account, str(mail.id), "1")
    assert run("mail", "ignore", account, str(mail.id), "3") == "ignored in later mails\n"

    async def ignored(store: Any) -> Any:
        return (await store.mail_addresses.get(mail.account_id, mail.address_id)).ignored_pictures

    assert run_on_store(checked_settings(), ignored) == ("aa",)


def test_the_rules_of_an_address_are_changed(account: str, fails: Fails) -> None:
    id = run("mail", "address", account, "--label", "Berlin").split()[1]
    changes = ("--policy", "listed", "--senders", "shop.test, Anna@x.test", "--tag", "berlin", "--texts", "never")
    assert run("mail", "change", account, id, *changes, "--answers", "always") == "changed\n"

    async def changed(store: Any) -> Any:
        (address,) = await store.mail_addresses.of_account(UUID(account))
        return address

    address = run_on_store(checked_settings(), changed)
    assert (address.label, address.policy, address.entity_tag) == ("Berlin", SenderPolicy.LISTED, "berlin")
    assert (address.allowed, address.bodies) == (("shop.test", "anna@x.test"), Bodies.NEVER)
    assert address.answering is Answering.ALWAYS
    assert "neither an e-mail address nor a domain" in fails("mail", "change", account, id, "--senders", "a b")


def test_what_is_not_there_is_reported(account: str, fails: Fails) -> None:
    for command in ("show", "raw", "admit", "discard", "again"):
        assert "There is no mail with this id." in fails("mail", command, account, UNKNOWN)
    for command in ("renew", "retire"):
        assert "has no mail address" in fails("mail", command, account, UNKNOWN)


def test_a_test_mail_needs_a_server(account: str, fails: Fails) -> None:
    id = run("mail", "address", account).split()[1]
    assert "SMTP_URL" in fails("mail", "test", account, id)


def test_the_check_says_what_is_wrong(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(_: ReachabilityCheck) -> list[Finding]:
        return [Finding("MX", True, "Fine."), Finding("mx.in.test", None, "So what."), Finding("x", True, "Yes.")]

    monkeypatch.setattr(ReachabilityCheck, "__call__", look)
    assert run("mail", "check").splitlines() == ["good  MX: Fine.", "-     mx.in.test: So what.", "good  x: Yes."]


async def test_the_mailbox_is_read_where_mail_is_taken(
    settings: Settings, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = SecretStr(f"imap://anna:secret@127.0.0.1:{port}/INBOX")
    changes = {"imap_url": url, "imap_address": "a@in.test", "mail_smtp": ""}
    async with listening(settings.model_copy(update=changes)) as where:
        assert where == ["from a mailbox"]
        await until(lambda: "the mailbox cannot be read" in caplog.text)
    assert "secret" not in caplog.text


async def test_a_mailbox_without_an_address_is_refused(settings: Settings, store: Store) -> None:
    url = SecretStr("imaps://anna:secret@mail.test")
    with pytest.raises(UserError, match="IMAP_ADDRESS"):
        async with listening(settings.model_copy(update={"imap_url": url, "mail_smtp": ""})):
            pass
