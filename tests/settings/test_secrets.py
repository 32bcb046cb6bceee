"""Secrets are read from the environment, from files or from a folder of credentials, and handed to nobody."""

import pickle
from pathlib import Path

import pytest
from pydantic import SecretStr
from ray import cloudpickle

from serve_app.domain.user_error import UserError
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys

SIGNING = "a signing key that is long enough for it"
MONGODB = "mongodb://user:a-password@host/invoices"


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "SIGNING_KEY", "ENCRYPTION_KEY", "SMTP_URL", "CREDENTIALS_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "text"), [("database_url", MONGODB), ("mailgun_signing_key", "hush"), ("imap_url", "imaps://a:b@host/I")]
)
def test_a_secret_is_read_from_a_file(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text(f"{text}\n")
    monkeypatch.setenv(f"{name.upper()}_FILE", str(tmp_path / "secret"))
    assert _plain(getattr(Settings(), name)) == text
    monkeypatch.setenv(name.upper(), "another")
    with pytest.raises(UserError, match=f"both {name.upper()} and {name.upper()}_FILE are set"):
        Settings()


def test_secrets_are_read_from_a_folder_of_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "signing_key").write_text(f"{SIGNING}\n")
    (tmp_path / "database_url").write_text(MONGODB)
    found = Settings()
    assert (_plain(found.signing_key), found.database_url) == (SIGNING, MONGODB)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAILGUN_SIGNING_KEY_FILE", str(tmp_path / "missing"))
    with pytest.raises(UserError, match=r"MAILGUN_SIGNING_KEY_FILE: cannot read .*missing \(No such file"):
        Settings()


def test_what_is_handed_on_has_no_secret_and_is_whole_where_the_secrets_are(monkeypatch: pytest.MonkeyPatch) -> None:
    encryption = new_key()
    for name, text in (("DATABASE_URL", MONGODB), ("ENCRYPTION_KEY", encryption), ("MAIL_HTTP_SECRET", "m" * 40)):
        monkeypatch.setenv(name, text)
    Path("data").mkdir()
    Path("data/signing.key").write_text(SIGNING)
    settings = with_keys(Settings().resolved())
    for dumps in (pickle.dumps, cloudpickle.dumps):
        handed = dumps(settings)
        for secret in ("a-password", encryption, "m" * 40, SIGNING):
            assert secret.encode() not in handed
        assert pickle.loads(handed) == settings  # noqa: S301 - made here
    monkeypatch.delenv("MAIL_HTTP_SECRET")
    with pytest.raises(UserError, match="MAIL_HTTP_SECRET is set on the machine of the deployment but not here"):
        pickle.loads(handed)  # noqa: S301


def test_a_secret_that_only_the_caller_knows_is_handed_on() -> None:
    """There is no other way to it; `serve deploy` refuses one in its file."""
    settings = Settings(signing_key=SecretStr(SIGNING))
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301


@pytest.mark.parametrize(
    ("name", "value"), [("database_url", MONGODB), ("signing_key", SIGNING), ("smtp_url", "smtp://a:b@host")]
)
def test_a_secret_in_the_configuration_of_serve_is_refused(name: str, value: str) -> None:
    from serve_app.settings.app_args import AppArgs

    with pytest.raises(ValueError, match="this file must not contain secrets") as caught:
        AppArgs(settings={name: value})
    assert value not in str(caught.value).split("input_value")[0]
    AppArgs(settings={"database_url": "mongodb://host/invoices"})


def _plain(value: object) -> object:
    return value.get_secret_value() if isinstance(value, SecretStr) else value
