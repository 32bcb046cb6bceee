"""Icons as one SVG sprite. The pictures are Lucide's (ISC licence, `vendored/lucide.LICENSE`)."""

import json
from functools import cache
from pathlib import Path

_PICTURES = Path(__file__).parent / "vendored" / "icons.json"


@cache
def icon_names() -> frozenset[str]:
    """The icons that templates may use."""
    return frozenset(_pictures())


def sprite() -> str:
    """An SVG document with a `symbol` for each icon."""
    symbols = "".join(
        f'<symbol id="{name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
        f' stroke-linecap="round" stroke-linejoin="round">{shapes}</symbol>'
        for name, shapes in sorted(_pictures().items())
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


@cache
def _pictures() -> dict[str, str]:
    pictures: dict[str, str] = json.loads(_PICTURES.read_text(encoding="utf-8"))
    return pictures
