"""Every change by command line is in the audit trail, with the system's user and the host."""

import os
import pwd
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest
import typer

from serve_app.commands import cli, watching
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.domain.audit import AuditEntry, operator_at
from serve_app.domain.inbound_mail import InboundMail
from serve_app.keys import ring as key_ring
from serve_app.services.mailroom.trial import MailTrials
from serve_app.store.base import Store
from tests.cli.command_line import UNKNOWN, URL, Fails, run
from tests.cli.scene import Scene
from tests.cli.test_canaries import config
from tests.cli.test_pins import LAST_DAY
from tests.support.databases import open_database
from tests.support.inbound import a_mail, an_address

__all__ = ["config"]


CHANGES = {
    "account create": ("--plan pro", "account.created key.created"),
    "account plan": ("{account} pro", "plan.changed"),
    "account email": ("{account} ann@example.com", "account.address_changed"),
    "account target-precision": ("{account} 0.99", "account.target_precision_changed"),
    "account limit": ("{account} --running 2", "limits.changed"),
    "account plans set": ("trial --documents 30", "plan.defined"),
    "account plans remove": ("{plan}", "plan.removed"),
    "account suspend": ("{account}", "account.suspended"),
    "account resume": ("{suspended}", "account.resumed"),
    "account delete": ("{account} --yes", "account.deleted"),
    "account keep": ("{account} --days 90", "retention.changed"),
    "account pin": (f"{{account}} first --until {LAST_DAY}", "models.pinned"),
    "account unpin": ("{pinned}", "models.unpinned"),
    "key create": ("{account}", "key.created"),
    "key revoke": ("{account} {key}", "key.revoked"),
    "operator key create": ("--name billing", "operator_key.created"),
    "operator key revoke": ("{operator_key}", "operator_key.revoked"),
    "invoice delete": ("{account} {invoice} --yes", "invoice.deleted"),
    "corrections forget": ("{account} {invoice} --only-this", "invoice.forgotten"),
    "corrections export": ("{account} out", "corrections.exported"),
    "webhook register": (f"{{account}} {URL}", "webhook.registered"),
    "webhook pause": ("{account} {endpoint}", "webhook.paused"),
    "webhook resume": ("{account} {endpoint}", "webhook.resumed"),
    "webhook delete": ("{account} {endpoint} --yes", "webhook.deleted"),
    "webhook rotate": ("{account} {endpoint}", "webhook.secret_rotated"),
    "webhook secret": ("{account} {endpoint}", "webhook.secret_shown"),
    "webhook types": ("{account} {endpoint} invoice.failed", "webhook.changed"),
    "webhook url": (f"{{account}} {{endpoint}} {URL}/new", "webhook.changed"),
    "webhook describe": ("{account} {endpoint} till", "webhook.changed"),
    "webhook add-key": ("{account} {endpoint}", "webhook.key_added"),
    "webhook rotate-key": ("{account} {signing}", "webhook.key_rotated"),
    "webhook remove-key": ("{account} {signing}", "webhook.key_removed"),
    "webhook test": ("{account} {endpoint}", "webhook.tested"),
    "webhook redeliver": ("{account} {delivery}", "delivery.redelivered"),
    "user invite": ("bob@example.com --account {account} --operator", "operator.added person.invited person.link_made"),
    "user role": ("{person} owner --account {account}", "person.role_changed"),
    "user remove": ("{person} --account {account}", "person.removed"),
    "user link": ("{person}", "person.link_made"),
    "keys rotate": ("{key_file}", "encryption_key.rotated secrets.resealed"),
    "keys reseal": ("{nothing}", "secrets.resealed"),
    "keys retire": ("{sealed}", "encryption_key.retired secrets.resealed"),
    "mail address": ("{account} --label berlin", "mail_address.made"),
    "mail change": ("{account} {address} --label paris", "mail_address.changed"),
    "mail renew": ("{account} {address}", "mail_address.replaced"),
    "mail retire": ("{account} {address}", "mail_address.retired"),
    "mail admit": ("{account} {mail}", "mail.admitted"),
    "mail discard": ("{account} {mail}", "mail.discarded"),
    "mail read": ("{account} {discarded} 2", "mail.part_read"),
    "mail ignore": ("{account} {mail} 3", "mail.picture_ignored"),
    "mail again": ("{account} {discarded}", "mail.read_again"),
    "mail test": ("{account} {address}", "mail_address.tested"),
    "folder add": ("in", "folder.added"),
    "folder pause": ("{folder}", "folder.paused"),
    "folder resume": ("{folder}", "folder.resumed"),
    "folder remove": ("{folder}", "folder.removed"),
    "watch": ("in", "folder.added"),
    "field add": ("{account} Plate", "own_field.changed"),
    "field remove": ("{field}", "own_field.removed"),
    "chart import": ("{account} datev-skr03", "chart.changed"),
    "orders import": ("{account} orders.csv", "order.imported"),
    "files adopt": ("--yes", "files.adopted"),
    "export create": ("{exportable} template --settings {template} --to in", "export.made"),
    "export deliver": ("{account} {delivered}", "export.delivery_requested"),
    "export connect": ("{account} odoo {odoo}", "ledger.connected"),
    "export disconnect": ("{connected} odoo", "ledger.disconnected"),
    "export schedule add": ("{account} template --settings {template} --to in", "export_schedule.added"),
    "export schedule pause": ("{account} {schedule}", "export_schedule.paused"),
    "export schedule resume": ("{account} {schedule}", "export_schedule.resumed"),
    "export schedule remove": ("{account} {schedule}", "export_schedule.removed"),
    "package create": ("{account} 2026.zip", "package.made"),
    "export unlock": ("{account} {exported}", "invoice.unlocked"),
    "backup make": ("copies", "backup.made"),
    "backup drill": ("{copies}", "backup.tested"),
    "models canary start": ("new --config {config}", "canary.started"),
    "models canary step": ("{canary}", "canary.stepped"),
    "models canary stop": ("{canary}", "canary.stopped"),
}
"""The arguments of each command that changes something, and the actions of its new entries."""


OTHERS = """
account archive
account list
account pins
account plans list
account show
account usage
audit
chart show
field list
data annotated
data export
data generate
data import
data misreadings
data samples
data sheet
data templates
data words
doctor
env
evaluate
explain
export documents
export file
export list
export preview
export schedule list
extract
files show
folder list
head
key list
label-next
logs
mail
mail addresses
mail check
mail list
mail raw
mail show
metrics targets
models
models batches
models calibrate
models canary status
models card
models check
models curves
models details
models diff
models export
models list
models lora
models rank
models show
models sizes
models split
models train
models tune
models volume
openapi
operator key list
package key
package script
plan
queue
receipts
render kubernetes
user list
webhook deliveries
webhook delivery
webhook list
webhook show
why
"""
"""They change nothing in the deployment."""


APART = {
    "migrate": "tests/cli/test_migrate.py",
    "deploy": "tests/cli/test_deploy.py",
    "restore": "tests/cli/test_backups.py",
    "verify": "tests/cli/test_backups.py",
    "serve": "makes the first account as `account create` does",
    "models bind": "a file with a calibration",
    "models fetch": "the history of the registry",
    "models promote": "the history of the registry",
    "models rollback": "the history of the registry",
}
"""Where else the entries of a command are tested, or what it changes outside the deployment."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command waits for the service, a mail server or Ctrl-C."""

    async def watch(*_: object) -> None: ...

    async def send(*_: object) -> str:
        return "token"

    async def find(*_: object) -> InboundMail:
        return a_mail(an_address(UUID(UNKNOWN)))

    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setattr(key_ring, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(watching, "_watch", watch)
    monkeypatch.setattr(MailTrials, "send", send)
    monkeypatch.setattr(MailTrials, "find", find)


@pytest.fixture
def scene(account: str, folder: Path, config: str) -> Scene:
    return Scene(account, folder, config)


def entries(*accounts: str | None) -> dict[UUID, AuditEntry]:
    """All entries in the trails of the deployment and of these accounts."""

    async def work(store: Store) -> dict[UUID, AuditEntry]:
        pages = [await store.audit.page(None if each is None else UUID(each), 100) for each in (None, *accounts)]
        return {entry.id: entry for page in pages for entry in page.items}

    return run_on_store(checked_settings(), work)


def commands_in(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """The name of each command that can be run."""
    children = getattr(command, "commands", {})
    for name, child in children.items():
        yield from commands_in(child, (*path, name))
    if path and (not children or command.invoke_without_command):
        yield " ".join(path)


def test_each_command_is_known_to_change_something_or_not() -> None:
    known = [*CHANGES, *OTHERS.strip().splitlines(), *APART]
    assert sorted(known) == sorted(commands_in(typer.main.get_command(cli.app)))


@pytest.mark.parametrize("command", CHANGES)
def test_a_change_is_in_the_audit_trail(command: str, scene: Scene) -> None:
    form, actions = CHANGES[command]
    arguments = form.format_map(cast("Mapping[str, object]", scene)).split()
    before = entries(scene.account)
    output = run(*command.split(), *arguments)
    made = output.split()[1:2] if command == "account create" else []
    new = [entry for id, entry in entries(scene.account, *made).items() if id not in before]
    assert sorted({entry.action for entry in new}) == actions.split()
    user = pwd.getpwuid(os.getuid()).pw_name
    assert {entry.actor for entry in new} == {operator_at(user, socket.gethostname())}


MONGODB = ("account plan", "account keep", "key revoke", "webhook rotate", "keys rotate", "mail address", "folder add")


@pytest.mark.parametrize("command", MONGODB)
def test_a_change_is_in_the_audit_trail_of_mongodb(
    command: str, folder: Path, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database("mongomock", folder) as database:
        monkeypatch.setattr("serve_app.store.factory.open_store", lambda settings: database.open(settings, None))
        scene = Scene(run("account", "create").split()[1], folder, config)
        test_a_change_is_in_the_audit_trail(command, scene)


def test_who_calls_by_sudo_is_named(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "ann")
    run("account", "plan", account, "pro")
    (changed,) = [entry for entry in entries().values() if entry.action == "plan.changed"]
    assert changed.details == {"before": "free", "plan": "pro"}
    assert changed.actor.name.startswith("command line (ann as ")


def test_what_is_refused_leaves_no_entry(account: str, fails: Fails) -> None:
    before = entries(account)
    fails("key", "revoke", account, UNKNOWN)
    fails("account", "plan", UNKNOWN, "pro")
    fails("account", "keep", UNKNOWN, "--days", "1")
    fails("webhook", "pause", account, UNKNOWN)
    assert entries(account) == before
