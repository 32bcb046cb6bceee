"""Keys of programs that manage accounts."""

import pytest

from tests.cli.command_line import UNKNOWN, Fails, run


@pytest.mark.usefixtures("account")
def test_a_key_is_shown_once_listed_without_its_secret_and_revoked() -> None:
    id, secret = (line.split()[-1] for line in run("operator", "key", "create", "--name", "billing").splitlines()[:2])
    listed = run("operator", "key", "list")
    assert id in listed
    assert secret not in listed
    assert " valid " in listed
    assert run("operator", "key", "revoke", id) == f"revoked  {id}\n"
    assert " revoked " in run("operator", "key", "list")


@pytest.mark.usefixtures("account")
def test_an_unknown_key_is_refused(fails: Fails) -> None:
    assert "key" in fails("operator", "key", "revoke", UNKNOWN)
