"""Keys are replaced without anybody noticing: no receiver, and nobody who has a link."""

from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve_app.domain.clock import utc_now
from serve_app.keys import ring as key_ring
from serve_app.keys.sealing import new_key
from serve_app.services.signed_tokens import BadToken, TimedTokens
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.wiring.keys import build_sealer, build_signing_keys
from tests.cli.command_line import Fails, attempt, run


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_ring, "LOOK_SECONDS", 0.0)


@pytest.fixture
def encryption(folder: Path) -> Path:
    return folder / "data" / "encryption.key"


@pytest.fixture
def tokens(folder: Path) -> TimedTokens:
    """Of a service that runs all the time."""
    settings = with_keys(Settings().resolved())
    return TimedTokens(build_signing_keys(settings), "a purpose", timedelta(days=1), utc_now)


def test_secrets_stay_when_their_key_is_replaced(account: str, endpoint: str, encryption: Path) -> None:
    secret, old = run("webhook", "secret", account, endpoint), encryption.read_text()
    running = build_sealer(with_keys(Settings().resolved()))
    sealed = running.seal("before")
    assert "1 webhook endpoints" in run("keys", "rotate", "encryption")
    new, kept = encryption.read_text().split(",")
    assert kept == old != new
    assert run("webhook", "secret", account, endpoint) == secret
    assert running.open(sealed) == "before"
    assert "1 webhook endpoints" in run("keys", "retire", "encryption")
    assert encryption.read_text() == new
    assert run("webhook", "secret", account, endpoint) == secret
    with pytest.raises(ValueError, match="cannot decrypt"):
        running.open(sealed)
    assert encryption.stat().st_mode & 0o777 == 0o600


def test_a_running_service_seals_with_the_new_key_at_once(endpoint: str, encryption: Path) -> None:
    running = build_sealer(with_keys(Settings().resolved()))
    run("keys", "rotate", "encryption")
    sealed = running.seal("after")
    run("keys", "retire", "encryption")
    assert build_sealer(with_keys(Settings().resolved())).open(sealed) == "after"


def test_a_key_is_prepared_for_all_machines_before_it_is_used(account: str, endpoint: str, encryption: Path) -> None:
    old = encryption.read_text()
    run("keys", "rotate", "encryption", "--prepare")
    kept, prepared = encryption.read_text().split(",")
    assert kept == old
    run("keys", "rotate", "encryption", "--promote")
    assert encryption.read_text() == f"{prepared},{old}"


def test_links_that_were_made_before_still_work(tokens: TimedTokens, folder: Path) -> None:
    before = tokens.write(["before"])
    run("account", "create")
    run("keys", "rotate", "signing")
    after = tokens.write(["after"])
    started_later = TimedTokens(
        build_signing_keys(with_keys(Settings().resolved())), "a purpose", timedelta(days=1), utc_now
    )
    for each in (tokens, started_later):
        assert (each.read(before), each.read(after)) == (["before"], ["after"])
    assert "Links in e-mails" in attempt("keys", "retire", "signing", answer="n\n").stdout
    run("keys", "retire", "signing", "--yes")
    assert tokens.read(after) == ["after"]
    with pytest.raises(BadToken):
        tokens.read(before)


def test_keys_of_the_environment_are_replaced_there(
    account: str, endpoint: str, encryption: Path, monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    secret, old, new = run("webhook", "secret", account, endpoint), encryption.read_text(), new_key()
    monkeypatch.setenv("ENCRYPTION_KEY", f"{new},{old}")
    assert "ENCRYPTION_KEY is set in the environment: add the new key there before" in fails(
        "keys", "rotate", "encryption"
    )
    assert "1 webhook endpoints" in run("keys", "reseal")
    monkeypatch.setenv("ENCRYPTION_KEY", new)
    assert run("webhook", "secret", account, endpoint) == secret


def test_another_deployments_file_is_not_taken_for_the_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key comes from the environment, and a file lies where one would be."""
    given, other = new_key(), new_key()
    Path("data").mkdir()
    Path("data/encryption.key").write_text(other)
    monkeypatch.setenv("ENCRYPTION_KEY", given)
    sealer = build_sealer(with_keys(Settings(signing_key=SecretStr("s" * 40)).resolved()))
    sealed = sealer.seal("text")
    monkeypatch.delenv("ENCRYPTION_KEY")
    with pytest.raises(ValueError, match="cannot decrypt"):
        build_sealer(with_keys(Settings(signing_key=SecretStr("s" * 40)).resolved())).open(sealed)


def test_what_cannot_be_done_is_one_line(endpoint: str, encryption: Path, fails: Fails) -> None:
    assert "has only one encryption key" in fails("keys", "retire", "encryption")
    assert "no prepared encryption key" in fails("keys", "rotate", "encryption", "--promote")
    encryption.unlink()
    assert "there is no encryption key in" in fails("keys", "rotate", "encryption")


def test_nothing_shows_a_key(endpoint: str, encryption: Path) -> None:
    output = run("keys", "rotate", "encryption") + run("keys", "rotate", "encryption", "--prepare")
    assert not any(key in output for key in encryption.read_text().split(","))
