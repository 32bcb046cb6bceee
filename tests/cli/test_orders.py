"""`invoices orders import`: shows what would change, imports, or names the wrong lines."""

from pathlib import Path

from tests.cli.command_line import UNKNOWN, Fails, run

HEADER = "number,vendor,currency,quantity,unit_price\n"


def test_a_file_is_previewed_imported_and_found_unchanged(tmp_path: Path, account: str) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(f"{HEADER}PO-1,Norvik,EUR,1,2.50\nPO-2,Norvik,EUR,1,2.50\n")
    new, changed, unchanged = (run("orders", "import", account, str(file), *more) for more in (["--preview"], [], []))
    assert new.split() == changed.split() == ["new", "2", "changed", "0", "unchanged", "0"]
    assert unchanged.split() == ["new", "0", "changed", "0", "unchanged", "2"]
    file.write_text(f"{HEADER}po 2,Norvik,EUR,5,2.50\n")
    assert run("orders", "import", account, str(file)).split() == ["new", "0", "changed", "1", "unchanged", "0"]


def test_a_file_with_errors_changes_nothing_and_names_each_line(tmp_path: Path, account: str, fails: Fails) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(f"{HEADER}PO-1,Norvik,EUR,1,2.50\nPO-2,Norvik,EUR,one,2.50\n")
    message = fails("orders", "import", account, str(file))
    assert "nothing was imported: line 3: The quantity 'one' is not a number." in message
    assert "there is no account" in fails("orders", "import", UNKNOWN, str(_valid(tmp_path)))


def _valid(folder: Path) -> Path:
    file = folder / "valid.csv"
    file.write_text(f"{HEADER}PO-1,Norvik,EUR,1,2.50\n")
    return file
