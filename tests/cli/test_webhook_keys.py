"""The key that secrets are sealed with: where it is missing or another one, no command destroys a secret."""

import os
from pathlib import Path

import pytest

from serve_app.keys.sealing import new_key
from tests.cli.command_line import UNKNOWN, URL, Fails, run


@pytest.fixture
def key_file(folder: Path) -> Path:
    return folder / "data" / "encryption.key"


def test_with_another_key_a_secret_is_not_rotated_away(
    account: str, endpoint: str, monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    secret = run("webhook", "secret", account, endpoint)
    monkeypatch.setenv("ENCRYPTION_KEY", new_key())
    refused = fails("webhook", "rotate", account, endpoint)
    assert "cannot decrypt" in refused
    assert "use --lost-key" in refused
    monkeypatch.delenv("ENCRYPTION_KEY")
    assert run("webhook", "secret", account, endpoint) == secret


def test_once_the_key_is_lost_the_secret_is_replaced(
    account: str, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENCRYPTION_KEY", new_key())
    secret = run("webhook", "rotate", account, endpoint, "--lost-key")
    assert run("webhook", "secret", account, endpoint) == secret
    assert "old secret" not in run("webhook", "show", account, endpoint)


def test_where_the_key_is_missing_no_other_takes_its_place(
    account: str, endpoint: str, key_file: Path, tmp_path: Path, fails: Fails
) -> None:
    secret = run("webhook", "secret", account, endpoint)
    aside = tmp_path / "aside"
    os.rename(key_file, aside)
    for arguments in (("register", account, URL + "/2"), ("rotate", account, endpoint, "--lost-key")):
        assert f"there is no encryption key in {key_file}" in fails("webhook", *arguments)
    assert "cannot decrypt" in fails("webhook", "secret", account, endpoint)
    assert not key_file.exists()
    os.rename(aside, key_file)
    assert run("webhook", "secret", account, endpoint) == secret


def test_what_seals_nothing_works_without_a_key(account: str, endpoint: str, key_file: Path) -> None:
    key_file.unlink()
    assert endpoint in run("webhook", "list", account)
    assert "paused: by hand" in run("webhook", "pause", account, endpoint)
    assert run("webhook", "deliveries", account) == ""
    assert not key_file.exists()


def test_only_a_registration_makes_the_key(account: str, key_file: Path, fails: Fails) -> None:
    assert run("webhook", "list", account) == ""
    assert "there is no encryption key" in fails("webhook", "rotate", account, UNKNOWN)
    assert not key_file.exists()
    run("webhook", "register", account, URL)
    assert key_file.exists()
