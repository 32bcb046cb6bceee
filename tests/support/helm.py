"""Helm's own engine. It is written in Go, whose runtime has ended processes of other tests by a segmentation fault, so
it runs in a process of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

Values = dict[str, Any]
Run = Callable[..., Any]


class Refused(Exception):
    """Helm does not accept the chart or its values."""


@contextmanager
def helm() -> Iterator[Run]:
    """Runs a function of this module with its arguments in Helm's process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result()


def render(chart: Path, values: Values, namespace: str) -> list[str]:
    """The rendered files. Raises Refused."""
    import helm_python

    try:
        with helm_python.Chart.load(chart) as loaded:
            loaded.validate_schema(values)
            return list(loaded.render(values, name="release", namespace=namespace).values())
    except helm_python.HelmError as error:
        raise Refused(str(error)) from None


def lint(chart: Path, values: Values) -> dict[str, Any]:
    """The report of `helm lint --strict`."""
    import helm_python

    report: dict[str, Any] = helm_python.lint(chart, values, strict=True)
    return report


def identity(chart: Path) -> tuple[str, str]:
    """The name and version of a chart, which may be packed."""
    import helm_python

    with helm_python.Chart.load(chart) as loaded:
        return loaded.name, loaded.version
