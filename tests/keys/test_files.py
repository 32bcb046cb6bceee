"""The keys that a deployment makes are made once and kept for their owner only."""

import stat
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from serve_app.keys.files import kept_key
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.wiring.keys import build_sealer


def in_folder(folder: Path, **values: SecretStr | str) -> Settings:
    files = {"signing_key_file": str(folder / "signing.key"), "encryption_key_file": str(folder / "encryption.key")}
    return Settings.model_validate(files | values)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "signing.key"
    assert kept_key(path, lambda: "first") == "first"
    assert kept_key(path, lambda: "second") == "first"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert [each.name for each in path.parent.iterdir()] == ["signing.key"]


def test_a_key_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    path.write_text("a key")
    path.chmod(0o644)
    assert kept_key(path, lambda: "another") == "a key"
    assert mode(path) == 0o600


def test_of_two_processes_that_start_together_one_makes_the_key(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"

    def make_too_late() -> str:
        path.write_text("the other's")
        return "mine"

    assert kept_key(path, make_too_late) == "the other's"
    assert [each.name for each in tmp_path.iterdir()] == ["signing.key"]


def test_both_keys_are_made_and_found_again(tmp_path: Path) -> None:
    made = with_keys(in_folder(tmp_path))
    assert made.signing_key is not None
    assert len(made.signing_key.get_secret_value()) >= 32
    assert with_keys(in_folder(tmp_path)) == made
    assert build_sealer(with_keys(in_folder(tmp_path))).open(build_sealer(made).seal("a secret")) == "a secret"


def test_keys_that_are_given_are_kept(tmp_path: Path) -> None:
    given = in_folder(tmp_path, signing_key=SecretStr("x" * 32), encryption_key=SecretStr(new_key()))
    assert with_keys(given) == given
    assert list(tmp_path.iterdir()) == []


def test_looking_at_settings_makes_no_key(tmp_path: Path) -> None:
    in_folder(tmp_path).resolved()
    assert list(tmp_path.iterdir()) == []


def test_the_keys_are_not_printed_with_the_settings(tmp_path: Path) -> None:
    settings = with_keys(in_folder(tmp_path))
    for key in (settings.signing_key, settings.encryption_key):
        assert key is not None
        assert key.get_secret_value() not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"), [("ENCRYPTION_KEY", f"{'A' * 43}=,too-short"), ("SIGNING_KEY", "too-short")]
)
def test_a_malformed_key_is_not_repeated(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError, match="random") as caught:
        Settings()
    assert "too-short" not in str(caught.value)


def test_settings_without_an_encryption_key_seal_nothing() -> None:
    with pytest.raises(ValueError, match="no encryption key"):
        build_sealer(Settings(encryption_key=None))
