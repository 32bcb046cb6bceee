"""What the clients have from elsewhere is what it was written from."""

import re

import pytest

from invoices_client import calls
from scripts.clients.__main__ import PACKAGE, TYPESCRIPT, written_files
from scripts.clients.blocking import blocking
from serve_app.api.app import create_api


def test_models_and_the_blocking_half_are_up_to_date() -> None:
    texts = dict(written_files())
    # If this fails: python -m scripts.clients
    assert [path.name for path, text in texts.items() if not path.exists() or path.read_text() != text] == []
    by_hand = {PACKAGE / "models" / "base.py", PACKAGE / "_sync" / "concurrency.py"}
    python = {path for path in texts if not path.is_relative_to(TYPESCRIPT)}
    assert {*(PACKAGE / "models").glob("*.py"), *(PACKAGE / "_sync").glob("*.py")} == {*python, *by_hand}


def test_every_operation_has_a_call_with_its_answer() -> None:
    wanted = {
        (method.upper(), path): _answers(operation)
        for path, operations in create_api().openapi()["paths"].items()
        for method, operation in operations.items()
    }
    found = {(call.method, call.path): call for call in vars(calls).values() if isinstance(call, calls.Call)}
    assert found.keys() == wanted.keys()
    for place, answers in wanted.items():
        given = {
            cls.__name__
            for cls in getattr(found[place].answer, "__mro__", getattr(found[place].answer, "__args__", ()))
        }
        assert answers <= given or found[place].answer in (None, bytes), place


def test_the_typescript_client_uses_every_call() -> None:
    calls = re.findall(r"^export const (\w+) = call", (TYPESCRIPT / "calls.ts").read_text(), re.MULTILINE)
    code = "".join(path.read_text() for path in TYPESCRIPT.glob("*.ts"))
    # Documents are downloaded by the links that the service gives.
    assert [name for name in calls if f"calls.{name}" not in code] == ["downloadFile"]


def _answers(operation: dict[str, object]) -> set[str]:
    text = str({status: answer for status, answer in operation["responses"].items() if status.startswith("2")})  # type: ignore[attr-defined]
    return {part.partition("'")[0] for part in text.split("#/components/schemas/")[1:]}


@pytest.mark.parametrize(
    ("asynchronous", "wanted"),
    [
        (
            "async with AsyncClient() as client:\n    await client.aclose()\n",
            "with Client() as client:\n    client.close()\n",
        ),
        ("async for each in AsyncPages():\n    pass\n", "for each in Pages():\n    pass\n"),
        ("def f() -> AsyncGenerator[int, None]: ...\n", "def f() -> Generator[int, None, None]: ...\n"),
        ("class A:\n    async def __aenter__(self) -> None: ...\n", "class A:\n    def __enter__(self) -> None: ...\n"),
    ],
)
def test_the_blocking_half_is_a_translation(asynchronous: str, wanted: str) -> None:
    assert blocking(asynchronous) == wanted
