"""What the image is built from and runs as, read from its file."""

import re
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


def test_the_base_image_is_named_by_a_digest_that_the_builder_must_give(instructions: list[tuple[str, str]]) -> None:
    base, *stages = those(instructions, "FROM")
    assert base == "python:3.11-slim-bookworm@${BASE_DIGEST} AS system"
    assert stages == ["system AS packages", "system"]
    # No default: it could only be an old one, or none.
    assert instructions[0] == ("ARG", "BASE_DIGEST")


def test_the_command_that_prints_the_digest_names_the_same_image() -> None:
    comments = re.sub(r"\s*\\?\n#\s*", " ", (ROOT / "Dockerfile.gpu").read_text())
    assert "docker buildx imagetools inspect python:3.11-slim-bookworm --format '{{.Manifest.Digest}}'" in comments


def test_ray_asks_for_a_token_however_it_is_started(instructions: list[tuple[str, str]]) -> None:
    assert those(instructions, "ENTRYPOINT") == ['["invoices", "env"]']
    settings = " ".join(those(instructions, "ENV")).split()
    assert "RAY_AUTH_MODE=token" in settings
    # A token in the image would be known to whoever has the image.
    assert not any(setting.startswith("RAY_AUTH_TOKEN") for setting in settings)


def test_it_does_not_run_as_root(instructions: list[tuple[str, str]]) -> None:
    assert those(instructions, "USER") == ["invoices"]
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
    assert copied[-2:] == ["--from=packages /opt/venv /opt/venv", "--from=packages /app /app"]
    assert {source for line in copied[:-2] for source in line.split()[:-1]} == {
        "requirements.lock", "requirements-torch.lock", "requirements-gpu.lock", "pyproject.toml", "README.md",
        "LICENSE", "serve_app", "actors", "models", "config", "deploy/observability/rules.yaml", "samples",
    }  # fmt: skip
    assert those(instructions, "RUN")[-2].endswith("pip uninstall --yes pip")


def test_every_package_is_installed_by_its_hash(instructions: list[tuple[str, str]]) -> None:
    installs = re.findall(r"pip install (.*?)(?:&&|$)", "\n".join(those(instructions, "RUN")), re.MULTILINE)
    # The last one is this project itself, from the build's own folder.
    assert [install.strip() for install in installs if "--require-hashes" not in install] == [
        "--no-deps --no-build-isolation -e ."
    ]
