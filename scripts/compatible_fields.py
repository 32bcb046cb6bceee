"""Write the tables of docs/reference/compatible-apis.md from the tables of the adapters.

Usage: python -m scripts.compatible_fields
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from serve_app.api.compat import aws, azure, mindee
from serve_app.api.compat.values import Mapped

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "compatible-apis.md"
TABLES = {"mindee": mindee.FIELDS, "azure": azure.FIELDS, "aws": (*aws.SUMMARY, *aws.LINE_ITEMS)}


def with_tables(page: str) -> str:
    """The page with the tables of now between its comments `fields NAME` and `end`."""
    for name, mapped in TABLES.items():
        begin, end = f"<!-- fields {name} -->\n", "<!-- end -->"
        table = "\n".join(_lines(mapped))
        page = re.sub(f"{begin}.*?{end}", lambda _, new=f"{begin}\n{table}\n\n{end}": new, page, flags=re.DOTALL)  # type: ignore[misc]
    return page


def _lines(mapped: Iterable[Mapped]) -> Iterator[str]:
    yield "| Theirs | Ours |"
    yield "|---|---|"
    for name, group in groupby(mapped, lambda each: each.theirs.partition(".")[0]):
        rows = list(group)
        if all(each.ours is None for each in rows):
            yield f"| `{name}` | null |"
            continue
        for each in rows:
            yield f"| `{each.theirs}` | {'null' if each.ours is None else f'`{each.ours}`'} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
