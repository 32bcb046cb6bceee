"""The systemd units: what systemd itself says about them, and what they promise."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.clean_machine import commands_of_the_page
from serve_app.settings import Settings
from serve_app.settings.secrets import secret_names

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
UNITS = sorted(FOLDER.glob("*.service"))
COMMON = FOLDER / "invoices-.service.d" / "10-common.conf"
INSTALLED = "/opt/invoices"
# systemd's measure, from 0 (closed) to 100.
MOST_EXPOSED = 25


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units with a program where they look for it."""
    program = tmp_path / "opt" / ".venv" / "bin" / "invoices"
    program.parent.mkdir(parents=True)
    program.symlink_to("/bin/true")
    shutil.copytree(FOLDER, tmp_path / "units")
    for unit in (tmp_path / "units").glob("*.service"):
        unit.write_text(unit.read_text().replace(INSTALLED, str(tmp_path / "opt")))
    return tmp_path / "units"


def analyze(*arguments: str, units: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:", "SYSTEMD_COLORS": "0"}
    command = ["systemd-analyze", *arguments, *(str(units / unit.name) for unit in UNITS)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_systemd_finds_nothing_wrong(units: Path) -> None:
    result = analyze("verify", "--man=no", "--recursive-errors=no", units=units)
    assert (result.returncode, result.stderr.strip()) == (0, "")


def test_systemd_would_find_a_misspelt_key_in_what_they_share(units: Path) -> None:
    common = units / COMMON.parent.name / COMMON.name
    common.write_text(common.read_text().replace("ProtectClock=", "ProtectClocks="))
    result = analyze("verify", "--man=no", "--recursive-errors=no", units=units)
    assert "ProtectClocks" in result.stderr


def test_they_are_as_closed_as_the_service_allows(units: Path) -> None:
    result = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager", units=units)
    assert result.returncode == 0, result.stdout


def test_secrets_are_credentials_that_settings_are_called_like() -> None:
    texts = [COMMON.read_text(), *(unit.read_text() for unit in UNITS)]
    loaded = {name for text in texts for name in re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE)}
    assert loaded - {"ray_auth_token"} <= set(secret_names(Settings.model_fields))
    variables = {name for text in texts for name in re.findall(r"\b([A-Z_]+)=", text)}
    assert not {name.lower() for name in variables} & set(secret_names(Settings.model_fields))


def test_every_unit_shares_what_they_may_do() -> None:
    # systemd reads this folder for every unit whose name begins so.
    assert UNITS
    assert all(unit.name.startswith(COMMON.parent.name.removesuffix(".service.d")) for unit in UNITS)


def test_ray_outlives_its_head_by_what_lies_on_its_disk() -> None:
    head = (FOLDER / "invoices-head.service").read_text()
    assert "RAY_gcs_storage=rocksdb RAY_gcs_storage_path=/var/lib/invoices/" in head
    assert "StateDirectory=invoices" in COMMON.read_text()
    assert "bin/invoices head " in head
    for name in ("serve", "head", "worker", "watch"):
        assert "Restart=always" in (FOLDER / f"invoices-{name}.service").read_text()


def test_each_timer_starts_a_service_at_a_time_that_systemd_knows(units: Path) -> None:
    timers = sorted(units.glob("*.timer"))
    assert [timer.stem for timer in timers] == ["invoices-backup", "invoices-drill"]
    assert all(timer.with_suffix(".service").is_file() for timer in timers)
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:", "SYSTEMD_COLORS": "0"}
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *map(str, timers)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr.strip()) == (0, "")


def test_the_deployment_sees_the_sockets_of_ray() -> None:
    """Ray ends a process that does not; each unit has a /tmp of its own unless it joins another."""
    assert "PrivateTmp=yes" in COMMON.read_text()
    deploy = (FOLDER / "invoices-deploy.service").read_text()
    assert "JoinsNamespaceOf=invoices-head.service" in deploy
    assert "--wait-for-ray" in deploy


def test_the_script_of_a_clean_machine_runs_the_commands_of_the_page() -> None:
    """`python -m scripts.clean_machine` boots a Debian, and installs the service as the page says."""
    commands = commands_of_the_page().splitlines()
    assert commands[0].startswith("useradd --system")
    assert commands[-1] == "systemctl enable --now invoices-serve"
    assert "    head -c 32 /dev/urandom | base64 | tr +/ -_ > /etc/invoices/$key" in commands
