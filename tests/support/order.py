"""Runs tests in random order: files, and the tests of a file. Files with slow tests come first, so that all workers
have work until the end; among them, those of a browser, which share one. The seed, printed at the end, repeats an
order: --order-seed=SEED."""

from collections.abc import Iterable
from itertools import groupby
from random import Random, SystemRandom
from typing import Any

import pytest

SEED = "order_seed"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--order-seed", type=int, help="repeat the random order of an earlier run")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.order_seed is None:
        chosen = getattr(config, "workerinput", {}).get(SEED)
        config.option.order_seed = SystemRandom().randrange(10_000) if chosen is None else chosen


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Every worker of pytest-xdist has the same order."""
    node.workerinput[SEED] = node.config.option.order_seed


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = shuffled(items, Random(config.option.order_seed))  # noqa: S311 -- no secret


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"random order: --order-seed={config.option.order_seed}")


def shuffled(items: Iterable[pytest.Item], random: Random) -> list[pytest.Item]:
    """The tests in an order of `random`, those of a file together, so that they share what is made for a file. Tests of
    Ray keep their order: one cluster serves all of a folder, and would else run beside those that start their own."""
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    in_order = [tests for tests in files if _has("ray", tests)]
    at_random = [tests for tests in files if not _has("ray", tests)]
    random.shuffle(at_random)
    at_random.sort(key=lambda tests: (not _has("slow", tests), not _has("browser", tests)))
    for tests in at_random:
        random.shuffle(tests)
    return [test for tests in (*at_random, *in_order) for test in tests]


def _has(marker: str, tests: Iterable[pytest.Item]) -> bool:
    return any(test.get_closest_marker(marker) for test in tests)
