"""Webhooks on the command line, whether the service runs or not."""

import asyncio
import re
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner

from serve_app.commands import cli
from serve_app.domain.webhook import AbandonReason, Attempt
from serve_app.keys.sealing import Sealer, new_key
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from tests.cli.command_line import UNKNOWN, URL, Fails, run
from tests.support import LEASE, NOON


def test_an_endpoint_is_registered_listed_and_shown(account: str) -> None:
    printed = run("webhook", "register", account, URL, "--type", "invoice.failed", "--description", "the till")
    found = re.fullmatch(r"endpoint  ([0-9a-f-]{36})\nsecret    (whsec_\S{44})\n", printed)
    assert found is not None
    other = run("webhook", "register", account, URL + "/2").split()[1]
    assert run("webhook", "list", account) == (
        f"{found[1]}  active  invoice.failed     {URL}  the till\n{other}  active  ends of runs       {URL}/2\n"
    )
    shown = run("webhook", "show", account, found[1])
    for line in (f"URL          {URL}", "events       invoice.failed", "state        active", "description  the till"):
        assert line in shown.splitlines()
    assert run("webhook", "secret", account, found[1]) == f"secret    {found[2]}\n"


def test_a_secret_is_rotated(account: str, endpoint: str) -> None:
    first = run("webhook", "secret", account, endpoint)
    second = run("webhook", "rotate", account, endpoint)
    assert first != second
    assert run("webhook", "secret", account, endpoint) == second
    assert "old secret   signs until" in run("webhook", "show", account, endpoint)


def test_a_key_pair_is_added_replaced_and_removed(account: str, endpoint: str) -> None:
    assert "public key" not in run("webhook", "show", account, endpoint)
    added = run("webhook", "add-key", account, endpoint)
    assert re.fullmatch(r"public key   whpk_\S{44}\n", added)
    assert added in run("webhook", "show", account, endpoint)
    rotated = run("webhook", "rotate-key", account, endpoint).splitlines()
    assert len(rotated) == 2
    assert rotated[1].startswith(added.strip() + "  signs until ")
    assert run("webhook", "remove-key", account, endpoint) == "signs only with its secret\n"
    assert "public key" not in run("webhook", "show", account, endpoint)


def test_an_endpoint_is_paused_and_resumed(account: str, endpoint: str) -> None:
    assert "state        paused: by hand" in run("webhook", "pause", account, endpoint)
    assert f"{endpoint}  paused  " in run("webhook", "list", account)
    assert "state        active" in run("webhook", "resume", account, endpoint)


def test_an_endpoint_is_changed(account: str, endpoint: str) -> None:
    assert f"URL          {URL}/new" in run("webhook", "url", account, endpoint, URL + "/new")
    types = ("invoice.completed", "invoice.failed")
    assert "events       invoice.completed, invoice.failed" in run("webhook", "types", account, endpoint, *types)
    assert "events       ends of runs" in run("webhook", "types", account, endpoint)
    assert "description  mine" in run("webhook", "describe", account, endpoint, "mine")


def test_an_endpoint_is_deleted_on_a_yes_only(account: str, endpoint: str) -> None:
    refused = CliRunner().invoke(cli.app, ["webhook", "delete", account, endpoint], input="n\n")
    assert refused.exit_code == 1
    assert f"This deletes the webhook endpoint {endpoint} ({URL})" in refused.stdout
    assert endpoint in run("webhook", "list", account)
    run("webhook", "delete", account, endpoint, answer="y\n")
    assert run("webhook", "list", account) == ""


def test_a_deletion_need_not_ask(account: str, endpoint: str) -> None:
    assert run("webhook", "delete", account, endpoint, "--yes") == f"deleted   {endpoint}\n"


def in_store(work: Callable[[Store], Awaitable[None]]) -> None:
    """Do what the service would."""

    async def open_and_work() -> None:
        store = open_store(Settings().resolved())
        try:
            await work(store)
        finally:
            await store.connection.close()

    asyncio.run(open_and_work())


def give_up(endpoint: str) -> None:
    """Let the deliveries that are due fail for good."""

    async def work(store: Store) -> None:
        attempt = Attempt(at=NOON, seconds=1.5, status=500, error="odd\x1b[31m", body="\x1b]0;steered\x07 no")
        for claim in await store.deliveries.claim_due(UUID(endpoint), LEASE, 100):
            await store.deliveries.abandon(claim, attempt, AbandonReason.SCHEDULE_OVER)

    in_store(work)


def test_a_test_event_is_in_the_log(account: str, endpoint: str) -> None:
    event, delivery = run("webhook", "test", account, endpoint, "--type", "invoice.failed").split()[1::2]
    listed = run("webhook", "deliveries", account)
    assert re.fullmatch(rf"{delivery}  \S+ \S+  invoice\.failed     pending    0  {event}\n", listed)
    shown = run("webhook", "delivery", account, delivery)
    assert f"endpoint  {endpoint}" in shown


def test_an_abandoned_delivery_shows_its_attempts_and_steers_no_terminal(account: str, endpoint: str) -> None:
    delivery = run("webhook", "test", account, endpoint).split()[3]
    give_up(endpoint)
    shown = run("webhook", "delivery", account, delivery)
    assert "state     abandoned: schedule over" in shown
    assert "  1  2026-05-17 12:00:07   1.500 s  500: odd [31m\n     ]0;steered no\n" in shown
    assert "\x1b" not in shown + run("webhook", "deliveries", account)


def test_deliveries_are_filtered_and_paged(account: str, endpoint: str) -> None:
    other = run("webhook", "register", account, URL + "/2").split()[1]
    first, second, third = (run("webhook", "test", account, target).split() for target in (endpoint, endpoint, other))
    give_up(other)

    def listed(*options: str) -> list[str]:
        return [line.split()[0] for line in run("webhook", "deliveries", account, *options).splitlines()]

    assert listed() == [third[3], second[3], first[3]]
    assert listed("--endpoint", endpoint) == [second[3], first[3]]
    assert listed("--event", first[1]) == [first[3]]
    assert listed("--state", "abandoned") == [third[3]]
    assert listed("--before", "2001-01-01") == []
    assert listed("--after", "2001-01-01T00:00+02:00", "--limit", "1") == [third[3]]
    assert listed("--starting-after", third[3], "--limit", "1") == [second[3]]


def test_more_deliveries_are_announced_beside_the_list(account: str, endpoint: str) -> None:
    ids = [run("webhook", "test", account, endpoint).split()[3] for _ in range(2)]
    result = CliRunner().invoke(cli.app, ["webhook", "deliveries", account, "--limit", "1"])
    assert result.stderr == f"There are more: --starting-after {ids[1]}\n"


def test_one_or_all_abandoned_are_delivered_again(account: str, endpoint: str) -> None:
    deliveries = [run("webhook", "test", account, endpoint).split()[3] for _ in range(2)]
    give_up(endpoint)
    assert run("webhook", "redeliver", account, deliveries[0]) == f"to be delivered: {deliveries[0]}\n"
    again = ("webhook", "redeliver", account, "--failed-since", "2001-01-01", "--endpoint", endpoint)
    assert run(*again) == "to be delivered: 1\n"
    assert run(*again) == "to be delivered: 0\n"
    assert "pending" in run("webhook", "delivery", account, deliveries[1])


def test_what_cannot_be_done_is_one_line(account: str, endpoint: str, fails: Fails) -> None:
    delivery = run("webhook", "test", account, endpoint).split()[3]
    run("webhook", "pause", account, endpoint)
    for line, *arguments in (
        (f"there is no account {UNKNOWN}", "register", UNKNOWN, URL),
        (f"there is no account {UNKNOWN}", "list", UNKNOWN),
        (f"there is no account {UNKNOWN}", "deliveries", UNKNOWN),
        (f"there is no account {UNKNOWN}", "redeliver", UNKNOWN, "--failed-since", "2001-01-01"),
        ("There is no webhook endpoint with this id.", "show", account, UNKNOWN),
        ("There is no webhook endpoint with this id.", "delete", account, UNKNOWN),
        ("There is no webhook endpoint with this id.", "test", account, UNKNOWN),
        (f"the account has no delivery {UNKNOWN}", "delivery", account, UNKNOWN),
        (f"the account has no delivery {UNKNOWN}", "redeliver", account, UNKNOWN),
        ("The URL must begin with https://.", "register", account, "http://93.184.215.14/"),
        ("The URL cannot be used: the host has no public address.", "url", account, endpoint, "https://[::1]/"),
        ("This URL is already registered.", "register", account, URL),
        ("The webhook endpoint is paused; resume it first.", "test", account, endpoint),
        ("The webhook endpoint is paused; resume it first.", "redeliver", account, delivery),
    ):
        assert fails("webhook", *arguments) == f"invoices: {line}"


def test_what_was_not_said_clearly_is_one_line(account: str, endpoint: str, fails: Fails) -> None:
    for arguments in ([], ["--endpoint", endpoint], [UNKNOWN, "--failed-since", "2001-01-01"]):
        assert "give one delivery, or use --failed-since" in fails("webhook", "redeliver", account, *arguments)
    assert "'yesterday' is not a date or time" in fails("webhook", "deliveries", account, "--after", "yesterday")


def test_the_key_is_made_for_its_owner_only_and_announced(folder: Path, account: str) -> None:
    path = folder / "data" / "encryption.key"
    first, second = (
        CliRunner().invoke(cli.app, ["webhook", "register", account, f"{URL}/{number}"]) for number in range(2)
    )
    assert f"Created the key that encrypts secrets: {path}." in first.stderr
    assert second.stderr == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_secret_is_sealed_with_the_services_key(
    account: str, monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    key = new_key()
    monkeypatch.setenv("ENCRYPTION_KEY", key)
    endpoint, secret = run("webhook", "register", account, URL).split()[1::2]
    sealed: list[str] = []

    async def look(store: Store) -> None:
        found = await store.endpoints.get(UUID(account), UUID(endpoint))
        assert found is not None
        sealed.append(found.secrets[0].sealed)

    in_store(look)
    assert Sealer([key]).open(sealed[0]) == secret
    monkeypatch.setenv("ENCRYPTION_KEY", new_key())
    assert "cannot decrypt" in fails("webhook", "secret", account, endpoint)


def test_a_malformed_key_is_one_line_that_does_not_repeat_it(
    folder: Path, account: str, monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    (folder / "data" / "encryption.key").write_text("too-short")
    from_file = fails("webhook", "list", account)
    monkeypatch.setenv("ENCRYPTION_KEY", "too-short")
    for line in (from_file, fails("webhook", "list", account)):
        assert "32 random bytes" in line
        assert "too-short" not in line


def test_a_key_that_cannot_be_made_is_one_line(
    folder: Path, account: str, monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    (folder / "file").write_text("in the way")
    monkeypatch.setenv("ENCRYPTION_KEY_FILE", str(folder / "file" / "encryption.key"))
    assert "cannot read or create the key" in fails("webhook", "register", account, URL)


def test_networks_that_the_operator_opened_may_be_registered(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_NETWORKS", "10.1.0.0/16")
    run("webhook", "register", account, "http://10.1.2.3/hook")
    assert "http://10.1.2.3/hook" in run("webhook", "list", account)


def test_an_accounts_owner_has_an_address(account: str, fails: Fails) -> None:
    run("account", "create", "--email", "owner@example.com")
    assert run("account", "email", account, "owner@example.com") == "address  owner@example.com\n"
    assert "plain address" in fails("account", "email", account, "nobody")
    assert "there is no account" in fails("account", "email", UNKNOWN, "owner@example.com")
