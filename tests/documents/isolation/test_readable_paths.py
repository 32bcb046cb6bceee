"""What a reader process may read holds programs, fonts and language data, and never data, keys or settings."""

import sys
import sysconfig
from pathlib import Path

import pytest

from serve_app.documents.isolation import readable_paths as reach_module
from serve_app.documents.isolation.readable_paths import reach_of, without

PROJECT = Path(__file__).parents[3]


def readable(*hidden: Path) -> tuple[Path, ...]:
    return reach_of(hidden, Path("/nonexistent"), uses_gpu=False).readable


def is_readable(path: Path, *hidden: Path) -> bool:
    return any(path.resolve().is_relative_to(place) for place in readable(*hidden))


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with its own virtual environment, data and settings in one folder, as in `/opt/invoices`."""
    site = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    for folder in (site, tmp_path / "serve_app" / "documents", tmp_path / "data" / "files", tmp_path / "config"):
        folder.mkdir(parents=True)
    for name in (".env", "service.env", "config/serve.yaml", "venv/.env", "data/signing.key", "data/invoices.db"):
        (tmp_path / name).write_text("secret")
    monkeypatch.setattr(reach_module, "_PROJECT", tmp_path)
    paths = dict.fromkeys(("stdlib", "platstdlib", "purelib", "platlib"), str(site))
    monkeypatch.setattr(sysconfig, "get_paths", lambda: paths)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), str(site)])
    return tmp_path


@pytest.mark.parametrize(
    "secret", [".env", "service.env", "config/serve.yaml", "venv/.env", "data/signing.key", "data/invoices.db"]
)
def test_settings_and_data_beside_the_programs_are_out_of_reach(installation: Path, secret: str) -> None:
    assert not is_readable(installation / secret, installation / "data")


@pytest.mark.parametrize("data", [".", "data", "venv", "venv/data", "elsewhere"])
def test_programs_are_in_reach_wherever_the_data_lies(installation: Path, data: str) -> None:
    hidden = installation / data
    hidden.mkdir(exist_ok=True)
    places = readable(hidden)
    assert installation / "serve_app" in places
    assert installation / "venv" / "lib" / "python3.11" / "site-packages" in places
    assert not is_readable(hidden, hidden)


def test_data_among_the_programs_is_left_out_and_what_lies_beside_it_is_not(installation: Path) -> None:
    packages = installation / "venv" / "lib" / "python3.11" / "site-packages"
    for name in ("numpy", "invoices/data", "invoices/code"):
        (packages / name).mkdir(parents=True)
    hidden = packages / "invoices" / "data"
    assert not is_readable(hidden / "invoices.db", hidden)
    assert is_readable(packages / "numpy" / "core.so", hidden)
    assert is_readable(packages / "invoices" / "code" / "main.py", hidden)


def test_a_link_to_data_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "programs" / "data").mkdir(parents=True)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "programs" / "link").symlink_to(tmp_path / "secrets")
    found = list(without(tmp_path / "programs", {tmp_path / "programs" / "data"}))
    assert found == []


def test_data_in_a_folder_that_a_link_leads_to_is_left_out(installation: Path) -> None:
    (installation / "link").symlink_to(installation / "venv" / "lib")
    hidden = installation / "link" / "python3.11" / "site-packages" / "data"
    hidden.mkdir()
    assert not is_readable(hidden, hidden)


def test_a_folder_that_is_all_data_and_all_programs_is_refused(installation: Path) -> None:
    with pytest.raises(ValueError, match="serve_app contains data or a key"):
        readable(installation / "serve_app")


@pytest.mark.parametrize(
    "place", ["/", "/opt", "/etc", "/usr", "/usr/local", "/home", "/root", "/var", "/proc", "/srv"]
)
def test_no_folder_that_holds_installations_or_settings_is_in_reach(place: str) -> None:
    assert not any(Path(place).is_relative_to(path) for path in readable())


def test_this_installation_is_in_reach_without_the_project_around_it() -> None:
    assert is_readable(PROJECT / "serve_app" / "documents")
    assert is_readable(Path(sysconfig.get_paths()["stdlib"]))
    assert not is_readable(PROJECT / "config" / "serve.yaml")
