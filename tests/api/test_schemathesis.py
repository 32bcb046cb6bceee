"""Hundreds of requests made from the OpenAPI document, right ones and wrong ones: every answer is as described."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.settings import Settings
from tests.api.live import Live, live_service
from tests.support import nothing_found
from tests.support.thorough import THOROUGH

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXAMPLES_OF_EACH_OPERATION = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "120" if THOROUGH else "2"))
"""At most; most operations have more requests than that. More find more, and take in proportion longer."""
AT_LEAST = min(1000, 25 * EXAMPLES_OF_EACH_OPERATION)
AT_LEAST_OF_OPERATORS = 6 * EXAMPLES_OF_EACH_OPERATION
TIMEOUT_S = 240 + 5 * EXAMPLES_OF_EACH_OPERATION

pytestmark = pytest.mark.slow


@pytest.fixture
def live(settings: Settings, tmp_path: Path) -> Iterator[Live]:
    limits = dict.fromkeys(("rate_limit", "approval_mails_per_account", "approval_mails_per_recipient"), 10**9)
    changes = {**limits, "operator_api": True, "wait_seconds": 0.2, "mail_folder": str(tmp_path / "mail")}
    with live_service(settings.model_copy(update=changes), nothing_found) as live:
        yield live


def run_schemathesis(document: str, key: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml")),
        *("run", document, "--continue-on-failure", "--no-color"),
        *("--seed", "7", "--max-examples", str(EXAMPLES_OF_EACH_OPERATION)),
    ]
    environment = os.environ | {"API_KEY": key, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


@pytest.mark.parametrize("scope", ["full", "read"])
def test_no_request_gets_an_answer_that_is_not_described(live: Live, scope: str, tmp_path: Path) -> None:
    key = {"full": live.full_key, "read": live.read_key}[scope]
    check_answers(f"{live.url}/v1/openapi.json", key, tmp_path, AT_LEAST)


@pytest.mark.parametrize("scope", ["full", "read"])
def test_no_request_of_an_operator_gets_an_answer_that_is_not_described(live: Live, scope: str, tmp_path: Path) -> None:
    key = {"full": live.operator_key, "read": live.operator_read_key}[scope]
    check_answers(f"{live.url}/v1/operator/openapi.json", key, tmp_path, AT_LEAST_OF_OPERATORS)


def check_answers(document: str, key: str, folder: Path, at_least: int) -> None:
    done = run_schemathesis(document, key, folder)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
    generated = re.search(r"(\d+) generated, \1 passed", done.stdout)
    assert generated is not None, done.stdout
    assert int(generated[1]) >= at_least
