"""The key that signs links is made once and kept for its owner only."""

import stat
from pathlib import Path

from pydantic import SecretStr

from serve_app.settings import Settings
from serve_app.signing_key import load_signing_key


def test_it_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "signing.key"
    key = load_signing_key(path)
    assert len(key) >= 32
    assert load_signing_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["signing.key"]


def test_settings_keep_the_key_that_they_are_given(tmp_path: Path) -> None:
    given = Settings(signing_key=SecretStr("x" * 32), signing_key_file=str(tmp_path / "signing.key"))
    assert given.with_signing_key() == given
    assert not (tmp_path / "signing.key").exists()


def test_looking_at_settings_makes_no_key(tmp_path: Path) -> None:
    Settings(signing_key_file=str(tmp_path / "signing.key")).resolved()
    assert not (tmp_path / "signing.key").exists()


def test_the_key_is_not_printed_with_the_settings(tmp_path: Path) -> None:
    settings = Settings(signing_key_file=str(tmp_path / "signing.key")).with_signing_key()
    assert settings.signing_key is not None
    assert settings.signing_key.get_secret_value() not in repr(settings)
