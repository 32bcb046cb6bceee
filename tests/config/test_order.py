"""Tests run in random order, which a seed repeats."""

import pytest

pytest_plugins = ["pytester"]

NAMES = "abcdefgh"
BODY = "".join(f"def test_{name}(): pass\n" for name in NAMES)
INI = """
[pytest]
markers =
    slow: takes long
    browser: drives a browser
    ray: starts a Ray cluster
addopts = -p tests.support.order -p no:schemathesis -p no:hypothesispytest
asyncio_default_fixture_loop_scope = function
"""


def marked(marker: str) -> str:
    return f"import pytest\npytestmark = pytest.mark.{marker}\n{BODY}"


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A quick file and a slow one, of eight tests each."""
    pytester.makeini(INI)
    pytester.makepyfile(test_quick=BODY, test_slow=marked("slow"))
    return pytester


def order(suite: pytest.Pytester, *options: str) -> list[str]:
    result = suite.runpytest_inprocess("-v", *options)
    result.assert_outcomes(passed=2 * len(NAMES))
    return [line.split()[0] for line in result.outlines if line.endswith("%]")]


def test_a_seed_repeats_an_order(suite: pytest.Pytester) -> None:
    first = order(suite, "--order-seed=1")
    assert order(suite, "--order-seed=1") == first
    assert order(suite, "--order-seed=2") != first


def test_slow_files_come_first_and_the_tests_of_a_file_stay_together(suite: pytest.Pytester) -> None:
    files = [name.partition("::")[0] for name in order(suite)]
    assert files == ["test_slow.py"] * len(NAMES) + ["test_quick.py"] * len(NAMES)


def test_files_that_share_a_browser_come_one_after_the_other(suite: pytest.Pytester) -> None:
    for name in ("first", "second"):
        suite.makepyfile(
            **{f"test_browser_{name}": marked("slow") + "pytestmark = [pytestmark, pytest.mark.browser]\n"}
        )
    result = suite.runpytest_inprocess("-v")
    files = [line.partition("::")[0] for line in result.outlines if line.endswith("%]")]
    assert {*files[: 2 * len(NAMES)]} == {"test_browser_first.py", "test_browser_second.py"}


def test_tests_of_ray_keep_their_order(suite: pytest.Pytester) -> None:
    suite.path.joinpath("test_slow.py").write_text(marked("ray"))
    assert order(suite)[len(NAMES) :] == [f"test_slow.py::test_{name}" for name in NAMES]


def test_the_seed_is_printed(suite: pytest.Pytester) -> None:
    suite.runpytest_inprocess("-q", "--order-seed=7").stdout.fnmatch_lines(["random order: --order-seed=7"])
