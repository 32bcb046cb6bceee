"""`make check` runs the tests that a change can break."""

from pathlib import Path

import pytest

from scripts.changed_tests import dependent_tests, module_of

IMPORTERS = {
    "serve_app.a": {"serve_app.b", "tests.test_a"},
    "serve_app.b": {"tests.test_b", "tests.support.b", "serve_app.a"},
    "tests.support.b": {"tests.test_far"},
    "serve_app.c": {"tests.test_c"},
}


def test_the_nearest_come_first() -> None:
    assert dependent_tests(["serve_app.a"], IMPORTERS) == ["tests.test_a", "tests.test_b", "tests.test_far"]


def test_a_changed_test_is_among_them() -> None:
    assert dependent_tests(["tests.test_c"], IMPORTERS) == ["tests.test_c"]


def test_what_nothing_imports_has_none() -> None:
    assert dependent_tests(["serve_app.new"], IMPORTERS) == []


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("serve_app/store/base/__init__.py", "serve_app.store.base"),
        ("tests/web/test_mail.py", "tests.web.test_mail"),
        ("benchmarks/api/load.py", None),
        ("conftest.py", None),
    ],
)
def test_a_file_is_known_by_how_it_is_imported(path: str, module: str | None) -> None:
    assert module_of(Path(path)) == module
