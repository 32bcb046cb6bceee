"""`invoices doctor` says the same of each part, whatever the database, and changes nothing."""

from pathlib import Path
from uuid import uuid4

import pytest

from serve_app.commands import preflight
from serve_app.commands.checks import checks, tried
from serve_app.commands.local_graph import DEFAULT_CONFIG
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.record import DEPLOYMENT
from serve_app.services.upkeep.ownership import Owner
from serve_app.settings.reading import read_settings
from serve_app.store import factory
from tests.support.webhooks import ENCRYPTION_KEY

Found = tuple[str, str]


def found(part: str) -> Found:
    """What is said of one part."""
    return tried(dict(checks(DEFAULT_CONFIG))[part], read_settings())


@pytest.fixture
def unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A MongoDB that does not answer, without the wait for it."""

    async def fail(*_: object) -> None:
        raise StoreUnreachable from TimeoutError()

    monkeypatch.setenv("DATABASE_URL", "mongodb://user:hush-hush@127.0.0.1:1/invoices")
    monkeypatch.setattr("serve_app.store.mongo.engine.database.Database.ping", fail)
    monkeypatch.setattr("serve_app.store.mongo.webhooks.endpoints.MongoEndpoints.exist", fail)
    monkeypatch.setattr("serve_app.store.mongo.engine.deployment.MongoDeploymentId.get", fail)
    monkeypatch.setattr(factory, "clock_ahead", fail)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNING_KEY", "s" * 32)
    monkeypatch.setenv("ENCRYPTION_KEY", ENCRYPTION_KEY)


@pytest.mark.usefixtures("unreachable", "keys")
def test_a_database_that_does_not_answer_is_the_one_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILES_URL", str(folder))
    (folder / DEPLOYMENT).write_bytes(Owner(uuid4(), utc_now()).to_bytes())
    assert found("store") == ("FAILS", "the database of DATABASE_URL does not answer (TimeoutError)")
    verdict, text = found("keys")
    assert verdict == "look"
    assert "not known, as the store does not answer" in text
    assert found("clock") == ("look", "cannot be compared with MongoDB's, which does not answer")
    assert found("files")[0] == "look"
    monkeypatch.setenv("FILES_URL", "gridfs")
    assert found("disk") == ("ok", "no data folder is on this machine")


@pytest.mark.usefixtures("unreachable")
def test_missing_keys_are_a_fault_though_the_database_does_not_answer() -> None:
    verdict, text = found("keys")
    assert verdict == "FAILS"
    assert "there is no signing key in" in text


@pytest.mark.usefixtures("account")
def test_files_of_another_deployment_are_refused_and_stay_its_own() -> None:
    note = Path("data/files", DEPLOYMENT)
    preflight.check_files(read_settings())
    assert found("files")[0] == "ok"
    assert not note.exists()
    note.write_bytes(Owner(uuid4(), utc_now()).to_bytes())
    before = note.read_bytes()
    verdict, text = found("files")
    assert verdict == "FAILS"
    assert "belongs to another deployment" in text
    assert note.read_bytes() == before


def test_in_a_new_folder_it_names_what_the_first_start_makes(folder: Path) -> None:
    for part in ("store", "files", "keys", "disk"):
        verdict, text = found(part)
        assert verdict == "look"
        assert "first start make" in text
    assert list(folder.iterdir()) == []
