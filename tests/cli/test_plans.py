"""Operators list, add and remove plans."""

import pytest

from tests.cli.command_line import Fails, run


@pytest.mark.usefixtures("account")
def test_a_plan_is_added_listed_and_removed() -> None:
    run("account", "plans", "set", "trial", "--documents", "1000", "--running", "2")
    assert run("account", "plans", "list").splitlines()[-1].split() == ["trial", "1,000", "-", "2", "-", "-"]
    assert run("account", "plans", "remove", "trial") == "removed  trial\n"
    assert "trial" not in run("account", "plans", "list")


@pytest.mark.usefixtures("account")
def test_a_plan_of_the_contract_cannot_be_changed(fails: Fails) -> None:
    assert "pro" in fails("account", "plans", "set", "pro", "--running", "2")
