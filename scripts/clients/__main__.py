"""Write the parts of the clients that are made from others: `python -m scripts.clients`."""

from collections.abc import Iterator
from pathlib import Path

from scripts.clients.blocking import blocking
from scripts.clients.formatting import ROOT
from scripts.clients.models import python_models
from scripts.clients.typescript import typescript_sources
from serve_app.api.app import create_api

PACKAGE = ROOT / "clients" / "python" / "src" / "invoices_client"
TYPESCRIPT = ROOT / "clients" / "typescript" / "src"
# Written by hand on both sides: what a loop and threads do differently.
_BY_HAND = {"concurrency.py"}


def main() -> None:
    for path, text in written_files():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def written_files() -> Iterator[tuple[Path, str]]:
    """Each file of the clients that is made from others, and its text."""
    document = create_api().openapi()
    for name, text in typescript_sources(document).items():
        yield TYPESCRIPT / f"{name}.ts", text
    for name, text in python_models(document).items():
        yield PACKAGE / "models" / f"{name}.py", text
    for path in sorted((PACKAGE / "_async").glob("*.py")):
        if path.name not in _BY_HAND:
            yield PACKAGE / "_sync" / path.name, blocking(path.read_text())


if __name__ == "__main__":
    main()
