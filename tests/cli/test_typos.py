"""A typo is answered in one line that names what was meant, before Ray, torch or any runtime of models is loaded."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel
from ray.serve.config import AutoscalingConfig
from ray.serve.schema import (
    DeploymentSchema,
    HTTPOptionsSchema,
    RayActorOptionsSchema,
    ServeApplicationSchema,
    ServeDeploySchema,
)

from models.config import WEIGHTS, ModelError, parse_model
from serve_app.commands.errors import CommandError
from serve_app.commands.graph_checks import DEPLOYMENTS, KEYS
from serve_app.commands.local_graph import DEFAULT_CONFIG, read_graph
from serve_app.domain.user_error import UserError
from serve_app.extraction.confidence.calibration import CalibrationError, parse_calibration
from serve_app.reconciling.calibrations import BUNDLED
from serve_app.settings.reading import misspelt
from tests.cli.command_line import attempt

SAMPLE = Path(__file__).parents[2] / "samples" / "invoice.pdf"
# As a process that was just started: it says what it has loaded.
PROGRAM = """
import sys
from serve_app.commands.cli import main
try:
    main()
finally:
    print(*sorted({"ray", "torch", "transformers", "openvino", "onnxruntime"} & set(sys.modules)))
"""


def graph_with(tmp_path: Path, place: list[str | int], value: Any) -> Path:
    """The Serve configuration with something changed or added."""
    graph = yaml.safe_load(DEFAULT_CONFIG.read_text())
    inner = graph
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    file = tmp_path / "serve.yaml"
    file.write_text(yaml.safe_dump(graph))
    return file


EXTRACTOR: list[str | int] = ["applications", 0, "deployments", DEPLOYMENTS.index("Extractor")]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["http_option"], {}, "http_option: unknown key (did you mean http_options?)"),
        (["http_options", "prot"], 1, "http_options.prot: unknown key (did you mean port?)"),
        (["applications", 0, "arg"], {}, "applications.arg: unknown key (did you mean args?)"),
        ([*EXTRACTOR, "num_replica"], 1, "Extractor.num_replica: unknown key (did you mean num_replicas?)"),
        ([*EXTRACTOR, "name"], "Extracter", "there is no Extracter (did you mean Extractor?)"),
        (
            [*EXTRACTOR, "ray_actor_options", "num_gpu"],
            1,
            "Extractor.ray_actor_options.num_gpu: unknown key (did you mean num_gpus?)",
        ),
        (
            [*EXTRACTOR, "user_config", "label_maps"],
            {},
            "Extractor.user_config: label_maps: unknown key (did you mean label_map?)",
        ),
        ([*EXTRACTOR, "user_config", "adapter"], "layout_token", "(did you mean layout_tokens?)"),
        ([*EXTRACTOR, "user_config", "label_map"], {"T": "TOTALS"}, "unknown labels: TOTALS (did you mean TOTAL?)"),
        (["applications", 0, "args", "settings", "max_page"], 3, "max_page (did you mean max_pages?)"),
        (["applications", 0, "args", "shadows"], {}, "args: shadows: unknown key (did you mean shadow?)"),
    ],
)
def test_what_a_serve_configuration_misspells_is_named(
    tmp_path: Path, place: list[str | int], value: Any, message: str
) -> None:
    with pytest.raises(CommandError) as refused:
        read_graph(graph_with(tmp_path, place, value))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_deployment_of_a_further_pair_is_known(tmp_path: Path) -> None:
    read_graph(graph_with(tmp_path, ["applications", 0, "args", "pairs"], {"new": ["extractor"]}))
    file = graph_with(tmp_path, [*EXTRACTOR, "name"], "Extractor-new")
    with pytest.raises(CommandError, match="there is no Extractor-new"):
        read_graph(file)


def test_the_keys_are_those_of_ray() -> None:
    schemas: dict[str, type[BaseModel]] = {
        "": ServeDeploySchema,
        "http_options": HTTPOptionsSchema,
        "applications": ServeApplicationSchema,
        "deployments": DeploymentSchema,
        "ray_actor_options": RayActorOptionsSchema,
        "autoscaling_config": AutoscalingConfig,
    }
    assert {part: set(keys) for part, keys in KEYS.items()} == {
        part: set(schema.model_fields) for part, schema in schemas.items()
    }


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"adapter": "chat", "checkpoint": "a", "endpoint": {"urls": "x"}}, "endpoint.url"),
        ({"adapter": "chat", "checkpoint": "a", "endpoint": {"url": "http://127.0.0.1", "sent": 1}}, "endpoint.sent"),
        ({"adapter": "text_tokens", "checkpoint": "a", "precision": "bfloat"}, "(did you mean bfloat16?)"),
    ],
)
def test_options_of_a_model_are_checked_at_every_depth(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as refused:
        parse_model(config)
    assert message in str(refused.value)


def test_keys_of_a_calibration_are_checked() -> None:
    content = json.loads(BUNDLED.read_text())
    content["extracter_sha256"] = content.pop("extractor_sha256")
    with pytest.raises(CalibrationError, match=r"extracter_sha256: unknown key \(did you mean extractor_sha256\?\)"):
        parse_calibration(json.dumps(content))


def test_a_variable_that_is_nearly_a_setting_is_reported() -> None:
    (line,) = misspelt(["LEASE_SECOND", "LEASE_SECONDS", "PATH", "OMP_NUM_THREADS", "HTTP_PROXY", "RAY_ADDRESS"])
    assert line == "LEASE_SECOND is not a setting, and changes nothing: did you mean LEASE_SECONDS?"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", str(SAMPLE), "--extractor", str(WEIGHTS / "extracter")], f"did you mean {WEIGHTS / 'extractor'}?"),
        (["explain", str(SAMPLE.with_name("invoce.pdf"))], f"did you mean {SAMPLE}?"),
        (["explain", str(SAMPLE), "--field", "amont"], "did you mean amount?"),
        (["explain", str(SAMPLE), "--calibration", str(BUNDLED.with_suffix(".jsn"))], f"did you mean {BUNDLED}?"),
        (["extract", str(SAMPLE), "--verifier", str(WEIGHTS / "verifer")], f"did you mean {WEIGHTS / 'verifier'}?"),
        (["evaluate", str(SAMPLE.parent.with_name("sample"))], f"did you mean {SAMPLE.parent}?"),
        (["models", "check", str(WEIGHTS / "extracter"), "--as", "extractor"], "did you mean"),
        (["models", "fetch", str(WEIGHTS / "extracter"), "--as", "extractor", "--name", "x"], "did you mean"),
        (["models", "bind", str(BUNDLED.with_suffix(".jsn"))], "did you mean"),
        (["serve", "--config", str(DEFAULT_CONFIG.with_suffix(".yml"))], f"did you mean {DEFAULT_CONFIG}?"),
    ],
)
def test_each_command_names_what_was_meant(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError) as refused:
        attempt(*arguments)
    assert message in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", str(SAMPLE), "--extractor", "nowhere"),
        ("extract", str(SAMPLE), "--extractor", "nowhere"),
        ("evaluate", str(SAMPLE.parent), "--verifier", "nowhere"),
        ("models", "check", "nowhere", "--as", "extractor"),
        ("models", "fetch", "nowhere", "--as", "extractor", "--name", "x"),
        ("models", "--check", "nowhere.yaml"),
        ("serve", "--config", "nowhere.yaml"),
        ("env", "serve", "deploy", "config.yaml"),
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_loaded_to_answer_a_typo(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    config = graph_with(tmp_path, [*EXTRACTOR, "user_config", "adaptor"], "layout_tokens")
    config.rename(tmp_path / "config.yaml")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("invoices: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout.split() == []
