"""Canaries and differences on the command line."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.domain.canary import CanaryState
from serve_app.domain.comparison import Comparison, Difference, Right
from serve_app.store.base import Store
from tests.cli.command_line import Fails, attempt, run
from tests.cli.test_erase import submit
from tests.support import NOON

CONFIG = Path(__file__).parents[2] / "config" / "serve.yaml"


@pytest.fixture
def config(tmp_path: Path) -> str:
    """A Serve configuration with a pair beside the first one."""
    graph = yaml.safe_load(CONFIG.read_text())
    graph["applications"][0]["args"]["pairs"] = {"new": ["extractor"]}
    path = tmp_path / "serve.yaml"
    path.write_text(yaml.safe_dump(graph))
    return str(path)


def test_a_canary_from_its_start_to_its_end(account: str, config: str, fails: Fails) -> None:
    assert run("models", "canary", "status") == "canary   none yet\n"
    start = "models", "canary", "start", "new", "--config", config
    assert "new: running, 1% of the documents of 1 accounts" in run(*start, "--account", account)
    assert "is running" in fails(*start)
    assert "no pair of models 'new' is served beside the first one; there is none" in fails(*start[:4])
    assert "running, 10% " in run("models", "canary", "step")
    assert "running, 25% " in run("models", "canary", "step", "--share", "25")
    output = run("models", "canary", "status")
    assert "seen     0 answered by it, 0 read by both pairs" in output
    assert "against  agreement: 1.0 (120 rolls it back)" in output
    assert "new: stopped" in run("models", "canary", "stop")
    assert "There is no canary." in fails("models", "canary", "stop")
    assert "canary.started" in run("audit")


def test_a_canary_that_was_rolled_back_says_why(account: str, config: str) -> None:
    run("models", "canary", "start", "new", "--config", config)

    async def roll_back(store: Store) -> None:
        canary = await store.canaries.present()
        assert canary is not None
        ended = canary.ended(CanaryState.ROLLED_BACK, "it fails more often", NOON, {"failures": 140.06})
        assert await store.canaries.put(ended, canary)

    run_on_store(checked_settings(), roll_back)
    output = attempt("models", "canary", "status")
    assert output.exit_code == 1
    assert "reason   it fails more often" in output.output
    assert "against  failures: 140.1 (120 rolls it back)" in output.output
    run("models", "canary", "stop")
    assert "new: stopped" in run("models", "canary", "status", "--earlier", "3")


def test_differences_by_field_with_examples(account: str) -> None:
    assert "nothing was read by both pairs" in run("models", "diff", "new")
    first, second = submit(account, 2)
    differences = (Difference("amount", "119", "100", Right.FIRST), Difference("vendor", "Acme", None))
    made = Comparison(first.invoice.id, first.account_id, "new", NOON, differences=differences)

    async def put(store: Store) -> None:
        await store.comparisons.put([made, replace(made, invoice_id=second.invoice.id, differences=())])

    run_on_store(checked_settings(), put)
    output = run("models", "diff", "new")
    assert "new: 2 invoices read by both pairs" in output
    assert "  amount: 1 differ (50.0%); first right 1\n" in output
    assert "    amount: first 119 | new 100  (first right)\n" in output
    assert "    vendor: first Acme | new -\n" in output
    assert str(second.invoice.id) not in output
    assert "first 119" not in run("models", "diff", "new", "--examples", "0")
