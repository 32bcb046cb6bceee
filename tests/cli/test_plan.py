"""`invoices plan` says what must change in the configuration for a load."""

from pathlib import Path

import pytest

from serve_app.services.capacity.profile import Profile
from tests.cli.command_line import run
from tests.services.capacity.test_plan import PROFILE


@pytest.fixture
def profile(folder: Path) -> Profile:
    (folder / "data").mkdir()
    (folder / "data" / "profile.json").write_text(PROFILE.model_dump_json())
    return PROFILE


@pytest.mark.usefixtures("profile")
def test_a_load_that_the_configuration_allows() -> None:
    assert "config/serve.yaml allows all these replicas" in run("plan", "--pages-per-day", "1000")


@pytest.mark.usefixtures("profile")
def test_a_load_that_needs_more_replicas_names_the_lines() -> None:
    output = run("plan", "--pages-per-day", "1000000")
    (replicas,) = [line for line in output.splitlines() if line.startswith("replicas: ")]
    readers = replicas.removeprefix("replicas: Reader ").partition(",")[0]
    assert f"  Reader: max_replicas: {readers}  # 16 today" in output
