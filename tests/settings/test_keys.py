"""A key is held to the same rule however it is given, and none is made where it would be a second one."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from serve_app.domain.user_error import UserError
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys

SIGNING = "a signing key that is long enough for it"
SHORT = ["", " \n", "short", "x" * 31, " " + "x" * 31 + "\n"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        signing_key_file=str(tmp_path / "signing.key"), encryption_key_file=str(tmp_path / "encryption.key")
    )


def shared(settings: Settings, **places: str) -> Settings:
    return settings.model_copy(update=places)


@pytest.mark.parametrize("text", SHORT)
def test_a_signing_key_in_its_file_that_is_too_short_is_refused(settings: Settings, text: str) -> None:
    Path(settings.signing_key_file).write_text(text)
    with pytest.raises(
        UserError, match=r"SIGNING_KEY_FILE: .*signing\.key does not contain a usable key: .* at least 32"
    ) as caught:
        with_keys(settings)
    assert text.strip() == "" or text.strip() not in str(caught.value)


@pytest.mark.parametrize("text", SHORT)
def test_one_in_the_environment_is_refused_by_the_same_rule(text: str) -> None:
    with pytest.raises(ValidationError, match="at least 32"):
        Settings(signing_key=SecretStr(text))


def test_both_ways_take_the_same_key(settings: Settings) -> None:
    Path(settings.signing_key_file).write_text(f"{SIGNING}\n")
    given = Settings(signing_key=SecretStr(f"{SIGNING}\n"))
    assert given.signing_key == with_keys(settings).signing_key == SecretStr(SIGNING)


@pytest.mark.parametrize("text", [b"", b"short", b"\xff" * 44, b"A" * 43 + b"=,x"])
def test_an_encryption_key_in_its_file_that_is_none_is_refused(settings: Settings, text: bytes) -> None:
    Path(settings.encryption_key_file).write_bytes(text)
    with pytest.raises(
        UserError, match=r"ENCRYPTION_KEY_FILE: .*encryption\.key does not contain a usable key: .* 32 random bytes"
    ):
        with_keys(settings)


@pytest.mark.parametrize(
    "places",
    [
        {"database_url": "mongodb://host/invoices"},
        {"database_url": "mongodb://host/invoices", "files_url": "/srv/files"},
        {"files_url": "s3://bucket"},
        {"files_url": "mongodb://host/files"},
    ],
)
def test_no_key_is_made_where_other_machines_may_make_another(
    settings: Settings, tmp_path: Path, places: dict[str, str]
) -> None:
    with pytest.raises(UserError, match=r"SIGNING_KEY is not set\. .* because other machines"):
        with_keys(shared(settings, **places))
    with pytest.raises(UserError, match=r"ENCRYPTION_KEY is not set\. .* because other machines"):
        with_keys(shared(settings, signing_key=SecretStr(SIGNING), **places))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_no_key_is_made_on_a_cluster_of_several_nodes(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="because the Ray cluster has 3 nodes"):
        with_keys(settings, nodes=3)
    assert list(tmp_path.iterdir()) == []


def test_keys_that_are_given_serve_a_cluster_in_either_way(settings: Settings) -> None:
    made = with_keys(settings)
    assert with_keys(shared(settings, database_url="mongodb://host/invoices"), nodes=3).signing_key == made.signing_key
    for path in (settings.signing_key_file, settings.encryption_key_file):
        Path(path).unlink()
    assert with_keys(made, nodes=3) == made


def test_no_encryption_key_is_made_beside_secrets_that_another_sealed(settings: Settings) -> None:
    with pytest.raises(UserError, match=r"ENCRYPTION_KEY is not set\. .* encrypts existing secrets of webhook"):
        with_keys(settings, secrets_exist=True)
    assert not Path(settings.encryption_key_file).exists()


def test_a_key_that_cannot_be_read_is_named(settings: Settings) -> None:
    Path(settings.signing_key_file).mkdir()
    with pytest.raises(UserError, match=r"cannot read or create the key .*signing\.key \(Is a directory\)"):
        with_keys(settings)
