"""Charts on the command line."""

from pathlib import Path

from tests.cli.command_line import UNKNOWN, Fails, run


def test_codes_are_imported_after_a_preview(account: str, folder: Path, fails: Fails) -> None:
    (folder / "codes.csv").write_text("code;name\n4930;Office supplies\n4920;Telephone\n")
    preview = run("chart", "import", account, "codes.csv", "--preview")
    assert preview == "account  2 new, 0 changed, 0 unchanged\nnothing was changed\n"
    assert run("chart", "show", account) == ""
    assert run("chart", "import", account, "codes.csv").endswith("imported\n")
    (folder / "codes.csv").write_text("code;name\n4930;Paper\n")
    imported = run("chart", "import", account, "codes.csv", "--replace")
    assert imported.startswith("account  0 new, 1 changed, 0 unchanged, 1 not in the file become inactive\n")
    assert run("chart", "show", account) == "account  4930  active  Paper\naccount  4920  inactive  Telephone\n"


def test_a_wrong_file_changes_nothing_and_is_explained(account: str, folder: Path, fails: Fails) -> None:
    (folder / "codes.csv").write_text("code\n1\n1\n")
    assert "line 3: the code 1 is there twice" in fails("chart", "import", account, "codes.csv")
    assert "No such file" in fails("chart", "import", account, "other.csv")
    (folder / "codes.csv").write_text("code\n1\n")
    assert "the key must begin" in fails("chart", "import", account, "codes.csv", "--dimension", "Own")
    assert run("chart", "show", account) == ""
    assert "there is no account" in fails("chart", "import", UNKNOWN, "datev-skr04")
