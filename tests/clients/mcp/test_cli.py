"""What the command refuses before it serves."""

import pytest

from invoices_mcp.cli import main

OAUTH = ["--http", "127.0.0.1:0", "--issuer", "https://login.example"]


@pytest.mark.parametrize(
    ("arguments", "key", "words"),
    [
        ([], "", "set INVOICES_API_KEY"),
        (OAUTH, "", "set INVOICES_API_KEY"),
        (OAUTH, "inv_live_x", "--issuer needs --public-url"),
        (["--http", "127.0.0.1:x"], "", "invalid literal"),
    ],
)
def test_what_is_missing_is_named(
    arguments: list[str], key: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INVOICES_API_KEY", key)
    assert main(arguments) == 2
    assert words in capsys.readouterr().err
