"""`invoices corrections`."""

from pathlib import Path

from tests.cli.command_line import Fails, run
from tests.support import UNKNOWN_ID


def test_an_account_without_confirmed_invoices_exports_an_empty_folder(account: str, folder: Path) -> None:
    assert "0 files" in run("corrections", "export", account, "out")
    assert (folder / "out" / "MANIFEST.csv").read_text() == "set,file,kind,group,invoices\n"


def test_an_unknown_account_is_reported(fails: Fails) -> None:
    assert UNKNOWN_ID in fails("corrections", "export", UNKNOWN_ID, "out")


def test_an_unknown_invoice_has_nothing_to_forget(account: str, fails: Fails) -> None:
    assert "no invoice" in fails("corrections", "forget", account, UNKNOWN_ID)
    assert run("corrections", "forget", account, UNKNOWN_ID, "--only-this").startswith("0 examples")
