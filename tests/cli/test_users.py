"""People are invited, listed, changed, removed and given links on the command line, and it is written down."""

import re
from typing import Any

import pytest

from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.users import FIRST_OWNER, first_link
from serve_app.domain.clock import utc_now
from serve_app.domain.session import hash_secret
from serve_app.settings.reading import read_settings
from tests.cli.command_line import UNKNOWN, Fails, run


def person_of(link: str) -> Any:
    """The address of the person whom a link signs in."""

    async def take(store: Any) -> Any:
        person_id = await store.sign_ins.take_link(hash_secret(link.partition("#")[2]), utc_now())
        person = await store.people.get(person_id)
        return person.email

    return run_on_store(checked_settings(), take)


def test_the_first_person_of_an_account_is_its_owner(account: str) -> None:
    said = run("user", "invite", "ann@example.com", "--name", "Ann")
    assert said.split()[:4] == ["account", account, "role", "owner"]
    link = said.split()[-1]
    assert link.startswith("http://127.0.0.1:8000/app/enter#")
    assert person_of(link) == "ann@example.com"
    said = run("user", "invite", "bob@example.com")
    assert "role     reviewer\n" in said
    lines = run("user", "list", account).splitlines()
    assert [line.split()[0::2] for line in lines] == [["owner", "ann@example.com"], ["reviewer", "bob@example.com"]]


def test_roles_change_and_people_go(account: str, fails: Fails) -> None:
    run("user", "invite", "ann@example.com")
    run("user", "invite", "bob@example.com", "--role", "viewer")
    assert run("user", "role", "BOB@example.com", "owner", "--account", account) == "role     owner\n"
    assert run("user", "remove", "ann@example.com") == "removed  ann@example.com\n"
    assert "at least one owner" in fails("user", "remove", "bob@example.com")
    assert "at least one owner" in fails("user", "role", "bob@example.com", "viewer")
    assert "nobody has the address ann@example.com" in fails("user", "link", "ann@example.com")
    lines = run("audit", account).splitlines()
    actions = [line.split("  ")[3:5] for line in reversed(lines)]
    assert [" ".join(action) for action in actions] == [
        "key.created first key",
        "person.invited ann@example.com",
        "person.link_made ann@example.com",
        "person.invited bob@example.com",
        "person.link_made bob@example.com",
        "person.role_changed bob@example.com",
        "person.removed ann@example.com",
    ]
    assert all("command line" in line for line in lines)
    after = lines[3].split("  ")[1]
    assert run("audit", account, "--limit", "1", "--after", after).splitlines() == [lines[4]]


def test_a_link_begins_with_the_public_address(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("user", "invite", "ann@example.com")
    monkeypatch.setenv("PUBLIC_URL", "https://invoices.example.com/")
    link = run("user", "link", "ann@example.com").strip()
    assert re.fullmatch(r"https://invoices\.example\.com/app/enter#[\w-]{43}", link)
    assert run("user", "link", "ann@example.com", "--url", "http://127.0.0.1:9000").startswith(
        "http://127.0.0.1:9000/app"
    )


def test_operators_are_listed_without_an_account(account: str) -> None:
    assert run("user", "list") == ""
    run("user", "invite", "ann@example.com", "--operator")
    assert run("user", "list") == "operator  ann@example.com\n"
    assert "operator.added  ann@example.com" in run("audit")
    run("user", "remove", "ann@example.com", "--operator")
    assert run("user", "list") == ""
    assert run("user", "list", account).startswith("owner")
    assert "operator.removed  ann@example.com" in run("audit")


def test_what_cannot_be_done_is_one_line(account: str, fails: Fails) -> None:
    run("user", "invite", "ann@example.com")
    assert "already belongs to the account" in fails("user", "invite", "ann@example.com")
    assert "one plain address" in fails("user", "invite", "ann")
    assert UNKNOWN in fails("user", "invite", "bob@example.com", "--account", UNKNOWN)
    assert "does not belong to the account" in fails("user", "remove", "ann@example.com", "--account", UNKNOWN)
    run("account", "create")
    assert "by --account" in fails("user", "invite", "bob@example.com")


def test_an_account_with_an_address_has_an_owner() -> None:
    account = run("account", "create", "--email", "ann@example.com").split()[1]
    assert run("user", "list", account).startswith("owner")
    assert person_of(run("user", "link", "ann@example.com").strip()) == "ann@example.com"


def test_the_first_start_makes_an_owner_who_runs_the_deployment() -> None:
    from serve_app.commands.serve import _first_key

    settings = read_settings()
    assert _first_key(settings) is not None
    assert run("user", "list") == f"operator  {FIRST_OWNER}\n"
    assert person_of(first_link(settings, "http://127.0.0.1:8000")) == FIRST_OWNER
    assert _first_key(settings) is None
