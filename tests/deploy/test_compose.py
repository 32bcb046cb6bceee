"""The compose files: valid, and as closed as the image allows."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from scripts.containers import OPERATE, PAGE, UP, secrets_of_the_page
from serve_app.settings import Settings
from serve_app.settings.secrets import secret_names
from serve_app.telemetry.service_log import LOG_VARIABLE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "compose"
FILES = sorted(FOLDER.glob("*.yaml"))
Object = dict[str, Any]


def read(name: str) -> Object:
    loaded: Object = yaml.safe_load((FOLDER / name).read_text())
    return loaded


@pytest.fixture
def service() -> Object:
    one: Object = read("compose.yaml")["services"]["invoices"]
    return one


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_every_file_is_valid(file: Path) -> None:
    schema = json.loads((Path(__file__).parent / "schemas" / "compose.json").read_text())
    validator = jsonschema_rs.Draft201909Validator(schema)
    assert [error.message for error in validator.iter_errors(yaml.safe_load(file.read_text()))] == []
    assert not validator.is_valid({"services": {"invoices": {"restarts": "always"}}})


def test_it_starts_again_by_itself_and_has_time_to_stop(service: Object) -> None:
    graph = yaml.safe_load((ROOT / "config" / "serve.yaml").read_text())["applications"][0]["deployments"]
    longest = max(each["graceful_shutdown_timeout_s"] for each in graph)
    assert int(service["stop_grace_period"].removesuffix("s")) > longest
    others = (each for file in FILES for each in yaml.safe_load(file.read_text())["services"].values())
    assert {each["restart"] for each in others if "image" in each} == {"unless-stopped"}


def test_it_has_no_rights_and_writes_to_its_volume_only(service: Object) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert [place.partition(":")[0] for place in service["tmpfs"]] == ["/tmp"]  # noqa: S108 - the container's
    assert service["volumes"] == ["data:/data"]


def test_logs_of_the_whole_graph_are_those_of_the_container() -> None:
    """`serve run` starts Ray itself; `invoices serve` collects logs without it."""
    environment = read("compose.gpu.yaml")["services"]["invoices"]["environment"]
    assert environment[LOG_VARIABLE] == "/proc/1/fd/2"


def test_logs_of_no_container_fill_the_disk() -> None:
    services = [each for file in FILES for each in yaml.safe_load(file.read_text())["services"].values()]
    for each in services:
        if "image" in each:
            assert each["logging"]["options"].keys() == {"max-size", "max-file"}


def test_a_watched_folder_is_the_same_in_all_containers_and_may_be_added(service: Object) -> None:
    services = read("compose.watch.yaml")["services"]
    mounts = {volume for each in services.values() for volume in each["volumes"]} - set(service["volumes"])
    (mount,) = mounts
    assert mount.endswith(f":{services['invoices']['environment']['WATCH_PLACES']}")
    for key in ("read_only", "tmpfs", "cap_drop", "security_opt", "secrets", "init"):
        assert services["watch"][key] == service[key]


def test_only_this_machine_reaches_it(service: Object) -> None:
    assert [port.partition(":")[0] for port in service["ports"]] == ["127.0.0.1", "127.0.0.1"]
    assert "ports" not in read("compose.mongodb.yaml")["services"]["mongodb"]
    assert read("compose.mongodb.yaml")["networks"] == {"database": {"internal": True}}


def test_prometheus_reaches_its_metrics(service: Object) -> None:
    port = service["environment"]["METRICS_LISTEN"].rpartition(":")[2]
    assert f"127.0.0.1:{port}:{port}" in service["ports"]


def test_only_what_serves_http_is_asked_for_it() -> None:
    """Each of the others is healthy as long as it runs. `docker compose up --wait` fails for one without a check."""
    services = [(name, each) for file in FILES for name, each in yaml.safe_load(file.read_text())["services"].items()]
    for name, each in services:
        if "INVOICES_IMAGE" in each.get("image", "") and name != "invoices":
            assert each["healthcheck"]["test"] == ["CMD", "true"], name


def test_secrets_come_from_files_that_settings_are_called_like() -> None:
    for name in ("compose.yaml", "compose.mongodb.yaml"):
        whole = read(name)
        service = whole["services"]["invoices"]
        assert set(service["secrets"]) <= set(secret_names(Settings.model_fields))
        assert not {each.lower() for each in service["environment"]} & set(secret_names(Settings.model_fields)) - {
            "files_url"
        }
        assert all(secret["file"] == f"./secrets/{key}" for key, secret in whole["secrets"].items())


def test_images_are_named_by_whoever_starts_them() -> None:
    images = re.findall(r"image: (.*)", "\n".join(file.read_text() for file in FILES))
    assert images
    # `:?`: compose refuses to start without.
    assert all(re.fullmatch(r"\$\{\w+:\?.*digest\}", image) for image in images)


def test_the_program_of_the_health_check_is_in_the_image(service: Object) -> None:
    program = service["healthcheck"]["test"][1]
    assert f" {program} " in " ".join((ROOT / "Dockerfile.gpu").read_text().split())


def test_the_gpu_runs_the_graph_of_the_configuration() -> None:
    service = read("compose.gpu.yaml")["services"]["invoices"]
    image = (ROOT / "Dockerfile.gpu").read_text()
    assert f"CMD {json.dumps(service['command'])}" in image
    (device,) = service["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]


def test_the_script_of_containers_runs_the_commands_of_the_pages() -> None:
    """`python -m scripts.containers` takes the files through a week."""
    first, *_, last = secrets_of_the_page().splitlines()
    assert (first, last) == ("mkdir -m 0700 secrets", "chown -R 10001 secrets")
    assert f"    {UP}\n" in PAGE.read_text()
    pages = "\n".join(page.read_text() for page in PAGE.parent.glob("*.md"))
    for command, _ in OPERATE:
        words = " ".join(each for each in command.split()[:2] if each.isalpha())
        assert f"invoices {words}" in pages
