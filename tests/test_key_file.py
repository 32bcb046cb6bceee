"""The keys that a deployment makes are made once and kept for their owner only."""

import stat
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from serve_app.key_file import kept_key
from serve_app.sealing import new_key
from serve_app.settings import Settings
from serve_app.wiring import build_sealer


def in_folder(folder: Path, **values: SecretStr) -> Settings:
    files = {"signing_key_file": str(folder / "signing.key"), "encryption_key_file": str(folder / "encryption.key")}
    return Settings.model_validate(files | values)


def test_a_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "signing.key"
    assert kept_key(path, lambda: "first") == "first"
    assert kept_key(path, lambda: "second") == "first"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["signing.key"]


def test_of_two_processes_that_start_together_one_makes_the_key(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"

    def make_too_late() -> str:
        path.write_text("the other's")
        return "mine"

    assert kept_key(path, make_too_late) == "the other's"
    assert [each.name for each in tmp_path.iterdir()] == ["signing.key"]


def test_settings_make_both_keys_and_find_them_again(tmp_path: Path) -> None:
    made = in_folder(tmp_path).with_keys()
    assert made.signing_key is not None
    assert len(made.signing_key.get_secret_value()) >= 32
    assert in_folder(tmp_path).with_keys() == made
    assert build_sealer(in_folder(tmp_path).with_keys()).open(build_sealer(made).seal("a secret")) == "a secret"


def test_settings_keep_the_keys_that_they_are_given(tmp_path: Path) -> None:
    given = in_folder(tmp_path, signing_key=SecretStr("x" * 32), encryption_key=SecretStr(new_key()))
    assert given.with_keys() == given
    assert list(tmp_path.iterdir()) == []


def test_looking_at_settings_makes_no_key(tmp_path: Path) -> None:
    in_folder(tmp_path).resolved()
    assert list(tmp_path.iterdir()) == []


def test_the_keys_are_not_printed_with_the_settings(tmp_path: Path) -> None:
    settings = in_folder(tmp_path).with_keys()
    for key in (settings.signing_key, settings.encryption_key):
        assert key is not None
        assert key.get_secret_value() not in repr(settings)


def test_a_malformed_key_is_refused_and_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENCRYPTION_KEY", f"{new_key()},too-short")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert "32 random bytes" in str(caught.value)
    assert "too-short" not in str(caught.value)
    monkeypatch.delenv("ENCRYPTION_KEY")
    (tmp_path / "encryption.key").write_text("too-short")
    with pytest.raises(ValueError, match="32 random bytes"):
        in_folder(tmp_path).with_keys()


def test_a_short_signing_key_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNING_KEY", "too-short")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert "too-short" not in str(caught.value)


def test_settings_without_an_encryption_key_seal_nothing() -> None:
    with pytest.raises(ValueError, match="no encryption key"):
        build_sealer(Settings(encryption_key=None))
