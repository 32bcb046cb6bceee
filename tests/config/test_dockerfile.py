"""What the image is built from and runs as, read from its file."""

import re
from pathlib import Path

import pytest

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
    assert those(instructions, "FROM") == ["python:3.11-slim-bookworm@${BASE_DIGEST}"]
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
    assert "install -d -o invoices -m 0700 /data" in " ".join(those(instructions, "RUN"))


def test_every_package_is_installed_by_its_hash(instructions: list[tuple[str, str]]) -> None:
    installs = re.findall(r"pip install (.*?)(?:&&|$)", "\n".join(those(instructions, "RUN")), re.MULTILINE)
    # The last one is this project itself, from the build's own folder.
    assert [install for install in installs if "--require-hashes" not in install] == [
        "--no-deps --no-build-isolation -e ."
    ]
