"""The programs of the guide run as they are printed."""

import re
from pathlib import Path

import pytest

from tests.api.compat.readings import SAMPLES
from tests.api.live import Live

GUIDE = (Path(__file__).parents[3] / "docs/how-to/move-from-another-api.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
EXPORTS = re.findall(r"(\w+)=(\S+)", "\n".join(re.findall(r"^    export (.*)$", GUIDE, re.MULTILINE)))


@pytest.mark.parametrize("program", PROGRAMS, ids=["mindee", "azure", "aws"])
def test_a_program_prints_the_total(
    program: str, live: Live, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def here(text: str) -> str:
        return text.replace("https://invoices.example.com", live.url).replace("inv_live_...", live.full_key)

    for name, value in EXPORTS:
        monkeypatch.setenv(name, here(value))
    monkeypatch.setattr("mindee.v2.client.sleep", lambda _: None)
    # It keeps the credentials that it first found.
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    monkeypatch.chdir(SAMPLES)
    exec(here(program), {})  # noqa: S102
    assert capsys.readouterr().out.strip() in {"380.34", "$380.34", "USD380.34"}
