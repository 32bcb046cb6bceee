"""The dashboard and the alarms that operators are given."""

import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
import trustme
import yaml
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families

from actors.model_actor import publish_model
from actors.model_host import ModelStatus
from scripts import dashboard, docs_site
from serve_app.domain.clock import utc_now
from serve_app.manifests.alarms import DOCS_URL
from serve_app.reconciling.calibrations import load_calibration
from serve_app.services.candidates.canary_controller import publish_canary
from serve_app.services.upkeep.care import Care
from serve_app.services.upkeep.gauges import publish_deliveries, publish_mails, publish_queue
from serve_app.store.sqlite.store import open_sqlite
from serve_app.telemetry import meter
from serve_app.telemetry.fields import publish_calibrations
from serve_app.telemetry.meter import count, set_to
from serve_app.telemetry.prometheus.meter import PrometheusMeter
from serve_app.telemetry.prometheus.scrape import text_of
from serve_app.telemetry.roles import CHILDREN
from serve_app.telemetry.series import ACCOUNT_REFUSED, HELD_CALLS

FOLDER = Path(dashboard.__file__).parents[1] / "deploy" / "observability"
RULES = FOLDER / "rules.yaml"
RULES_TESTS = sorted(FOLDER.glob("rules_test*.yaml"))
ACCOUNT = UUID(int=1)
_NAMES = re.compile(r"\binvoices_[a-z_]+")


@pytest.fixture
async def scraped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names in a scrape of a machine on which all deployments have just started."""
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    folder = tmp_path / "metrics"
    meter.install(PrometheusMeter(folder, [child for children in CHILDREN.values() for child in children]))
    store = open_sqlite(tmp_path / "invoices.db", 8)
    certificate = tmp_path / "mail.pem"
    trustme.CA().issue_cert("mail.example.com").cert_chain_pems[0].write_to_path(certificate)

    async def nothing_ahead() -> timedelta:
        return timedelta(0)

    try:
        for look in (publish_queue, publish_deliveries, publish_mails):
            await look(store, utc_now)
        publish_calibrations(load_calibration())
        publish_model("Verifier", None, ModelStatus("verifier@1", {}, utc_now()))
        publish_canary(None)
        set_to(HELD_CALLS, 0)
        count(ACCOUNT_REFUSED, account=str(ACCOUNT), code="rate_limited")
        files = {"files": tmp_path}, {"signing": certificate}, {"mail": certificate}
        await Care(store, *files, nothing_ahead, [ACCOUNT]).publish()
        families = text_string_to_metric_families(text_of(folder))
        return {sample.name for family in families for sample in family.samples}
    finally:
        meter.install(None)
        await store.connection.close()


async def test_every_series_of_the_dashboard_and_the_alarms_exists(scraped: set[str]) -> None:
    named = set(_NAMES.findall(dashboard.FILE.read_text())) | set(_NAMES.findall(RULES.read_text()))
    assert len(named) > 20
    assert named <= scraped


async def test_the_dashboard_shows_every_series(scraped: set[str]) -> None:
    shown = set(_NAMES.findall(dashboard.FILE.read_text())) | set(_NAMES.findall(RULES.read_text()))
    without_parts = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in scraped} == without_parts


def test_the_dashboard_is_as_its_script_writes_it() -> None:
    assert dashboard.FILE.read_text() == dashboard.text()


def test_every_alarm_is_in_the_runbook_and_is_tried() -> None:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    alarms = {rule["alert"] for rule in group["rules"]}
    assert set(re.findall(r"^### (\w+)$", (FOLDER / "runbook.md").read_text(), re.MULTILINE)) == alarms
    assert {alarm for file in RULES_TESTS for alarm in re.findall(r"Invoices\w+", file.read_text())} == alarms


def test_every_alarm_links_to_its_section_on_the_site_of_the_documentation() -> None:
    page = docs_site.PAGES["deploy/observability/runbook.md"].replace(".md", ".html")
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    for rule in group["rules"]:
        # MkDocs' anchor of a heading is its text in lower case.
        assert rule["annotations"]["runbook_url"] == f"{DOCS_URL}/{page}#{rule['alert'].lower()}"


@pytest.fixture
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not installed (Debian: prometheus)")
    return found


def test_the_alarms_fire_when_they_should(promtool: str) -> None:
    run = subprocess.run([promtool, "test", "rules", *RULES_TESTS], cwd=FOLDER, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_prometheus_accepts_its_configuration(promtool: str, tmp_path: Path) -> None:
    for name in ("prometheus.yml", "rules.yaml"):
        shutil.copy(FOLDER / name, tmp_path)
    (tmp_path / "invoices.json").write_text("[]")
    run = subprocess.run([promtool, "check", "config", tmp_path / "prometheus.yml"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
