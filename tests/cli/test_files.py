"""The file store belongs to one deployment: another one does not start on it, unless an operator says so."""

from pathlib import Path

import pytest

from tests.cli.command_line import Fails, run


@pytest.fixture
def shared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file store that another deployment uses; the database of this one exists."""
    monkeypatch.setenv("FILES_URL", str(folder / "shared"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/other/invoices.db")
    run("account", "create")
    run("files", "adopt", "--yes")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/data/invoices.db")


@pytest.mark.parametrize("has_database", [True, False])
@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("mail",)])
@pytest.mark.usefixtures("shared")
def test_no_service_starts_on_files_of_another_deployment(
    folder: Path, fails: Fails, command: tuple[str, ...], has_database: bool
) -> None:
    if has_database:
        run("account", "create")
    line = fails(*command)
    assert "the file store of FILES_URL belongs to another deployment" in line
    assert "run `invoices files adopt`" in line
    if command[0] == "serve":
        assert (folder / "data" / "invoices.db").exists() == has_database


@pytest.mark.usefixtures("shared")
def test_an_operator_makes_a_file_store_this_deployments() -> None:
    run("account", "create")
    before = run("files", "show")
    own = before.splitlines()[0].removeprefix("this deployment: ")
    assert f"the file store belongs to: deployment {own}" not in before
    assert f"the file store belongs to deployment {own}" in run("files", "adopt", answer="y\n")
    assert f"the file store belongs to: deployment {own}" in run("files", "show")


def test_a_new_file_store_belongs_to_no_deployment(folder: Path) -> None:
    run("account", "create")
    assert "no deployment yet; the next start claims it" in run("files", "show")
