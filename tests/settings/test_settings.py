"""Settings travel to other processes and mean the same there."""

import pickle
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from serve_app.settings import Settings


def test_relative_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("FILES_URL", raising=False)
    settings = Settings().resolved()
    assert settings.database_url == f"sqlite:///{tmp_path}/data/invoices.db"
    assert settings.files_url == f"{tmp_path}/data/files"
    assert settings.resolved() == settings


@pytest.mark.parametrize("url", ["/srv/my files", "file:///srv/my%20files"])
def test_a_files_folder_has_two_spellings(url: str) -> None:
    assert Settings(files_url=url).files_folder == Path("/srv/my files")


def test_other_databases_are_left_alone() -> None:
    assert Settings(database_url="mongodb://host/db").resolved().database_url == "mongodb://host/db"


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////srv/x.db")
    monkeypatch.setenv("LEASE_SECONDS", "70")
    settings = Settings()
    assert (settings.database_url, settings.lease_seconds) == ("sqlite:////srv/x.db", 70)


def test_they_are_frozen_and_can_be_sent() -> None:
    settings = Settings()
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 - our own bytes
    with pytest.raises(ValidationError):
        settings.rate_limit = 1  # type: ignore[misc]


@pytest.mark.parametrize("networks", ["10.0.0.0/99", "here", "10.0.0.1/8", "10.0.0.0/8;fd00::/8"])
@pytest.mark.parametrize("name", ["file_url_networks", "webhook_networks"])
def test_networks_that_are_none_are_refused_before_anything_starts(name: str, networks: str) -> None:
    with pytest.raises(ValidationError, match=name):
        Settings.model_validate({name: networks})


def test_a_malformed_proxy_is_refused_without_repeating_its_password() -> None:
    with pytest.raises(ValidationError, match="egress_proxy") as caught:
        Settings.model_validate({"egress_proxy": "http://user:sesame@proxy.example"})
    assert "sesame" not in str(caught.value)
    assert "sesame" not in repr(Settings(egress_proxy=SecretStr("http://user:sesame@proxy.example:3128")))


def test_every_setting_is_documented_for_operators() -> None:
    guide = (Path(__file__).parents[2] / "docs/reference/settings.md").read_text()
    assert [name for name in Settings.model_fields if f"`{name.upper()}`" not in guide] == []


def test_data_and_keys_are_hidden_from_the_process_that_reads_documents(tmp_path: Path) -> None:
    places = {name: str(tmp_path / name) for name in Settings.model_fields if name.endswith(("_file", "_folder"))}
    settings = Settings(database_url=f"sqlite:///{tmp_path}/db/invoices.db", files_url=f"{tmp_path}/files", **places)  # type: ignore[arg-type]
    hidden = settings.read_options().sandbox.hidden
    assert set(hidden) == {*places.values(), f"{tmp_path}/db", f"{tmp_path}/files"}


@pytest.mark.parametrize(("sandbox", "required"), [("required", True), ("best_effort", False)])
def test_a_sandbox_may_be_required(monkeypatch: pytest.MonkeyPatch, sandbox: str, required: bool) -> None:
    monkeypatch.setenv("SANDBOX", sandbox)
    assert Settings().read_options().sandbox.required is required


def test_the_secret_of_providers_is_long() -> None:
    with pytest.raises(ValidationError):
        Settings(mail_http_secret=SecretStr("short"))
