"""Runs a template's packages and reads what they draw, as the service would."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import weasyprint

from models.training.fonts import FONTS
from models.training.templates.facts import Facts
from models.training.templates.install import node_modules
from models.training.templates.registry import Template
from serve_app.documents.html import read_html
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Page
from serve_app.domain.errors import DocumentError

_NODE = Path(__file__).parent / "node"
_PROJECT = Path(__file__).parents[3]
_PAPERS = ("A4", "A4", "A4", "Letter", "Letter", "Legal")
_TIMEOUT = 900


def draw(template: Template, root: Path, out: Path, seed: int, first: int, count: int) -> None:
    """Write documents with the indices from `first` on to `out`, as HTML or PDF; those that fail are missing."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    if template.engine == "node":
        _draw_in_node(template, root, out, seed, first, count)
    else:
        _draw_in_python(template, root, out, seed, first, count)


def _draw_in_python(template: Template, root: Path, out: Path, seed: int, first: int, count: int) -> None:
    command = [sys.executable, "-m", "models.training.templates.worker", *map(str, (root.resolve(), out.resolve()))]
    environment = os.environ | {"PYTHONPATH": str(_PROJECT), "PYTHONWARNINGS": "ignore"}
    arguments = [*map(str, (seed, first, count)), template.name]
    subprocess.run([*command, *arguments], cwd=out, env=environment, check=False, timeout=_TIMEOUT)


def _draw_in_node(template: Template, root: Path, out: Path, seed: int, first: int, count: int) -> None:
    jobs = []
    for index in range(first, first + count):
        facts, rng = template.facts(seed, index)
        jobs.append({"index": index, "chance": rng.random(), "facts": as_json(facts)})
    text = "\n".join(json.dumps(job) for job in jobs)
    environment = os.environ | {"NODE_PATH": str(node_modules(root.resolve()))}
    command = ["node", str(_NODE / "run.cjs"), template.name, str(out.resolve())]
    subprocess.run(command, cwd=out, env=environment, input=text, text=True, check=False, timeout=_TIMEOUT)


def as_json(facts: Facts) -> dict[str, Any]:
    """The facts for recipes in JavaScript: amounts as numbers, and all that is printed as text, too."""

    def plain(value: Any) -> Any:
        if isinstance(value, Decimal):
            return float(value)
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each) for each in value]
        return value if isinstance(value, str | int | float | bool) else str(value)

    data: dict[str, Any] = plain(asdict(facts))
    for row, item in zip(data["items"], facts.items, strict=True):
        row |= {"gross": float(item.gross), "count": facts.count(item.quantity)}
        row["text"] = {key: facts.money(getattr(item, key)) for key in ("price", "total", "tax", "gross")}
    sums = ("subtotal", "discount", "shipping", "net", "tax", "total", "paid", "amount_due")
    data |= {key: float(getattr(facts, key)) for key in sums}
    data["text"] = {key: facts.money(getattr(facts, key)) for key in sums}
    data["text"] |= {key: facts.day(getattr(facts, key)) for key in ("issued", "due", "delivered")}
    return data


def read(template: Template, root: Path, out: Path, seed: int) -> Iterator[tuple[int, str, list[Page]]]:
    """Index, kind and pages of all documents in `out`. HTML is read as HTML or printed first, by its index."""
    files = sorted(out.glob("*.html"), key=lambda path: int(path.stem))
    views = {path: Random(f"view/{template.name}/{seed}/{path.stem}") for path in files}
    kinds = {path: rng.choices(("html", "chromium", "weasyprint"), (2, 7, 1))[0] for path, rng in views.items()}
    _print(root, [(path, views[path]) for path in files if kinds[path] == "chromium"])
    for path in files:
        if kinds[path] == "html":
            yield from _read_html(path)
        elif kinds[path] == "weasyprint":
            _print_plainly(path, views[path])
    for path in sorted(out.glob("*.pdf"), key=lambda path: int(path.stem)):
        try:
            yield int(path.stem), "text-pdf", list(read_text_layer(path.read_bytes(), ReadOptions().limits))
        except DocumentError:
            continue


def _read_html(path: Path) -> Iterator[tuple[int, str, list[Page]]]:
    try:
        yield int(path.stem), "html", list(read_html(path.read_bytes(), ReadOptions()).pages)
    except DocumentError:
        return


def _print(root: Path, files: list[tuple[Path, Random]]) -> None:
    """Print HTML with Chromium on one paper or another."""
    jobs = []
    for path, rng in files:
        edge = f"{rng.choice((0, 8, 10, 15))}mm"
        options = {
            "format": rng.choice(_PAPERS), "scale": rng.choice((0.75, 0.85, 0.9, 1, 1, 1, 1.1)),
            "margin": {side: edge for side in ("top", "bottom", "left", "right")},
        }  # fmt: skip
        font = f"'{rng.choice(FONTS)}'" if rng.random() < 0.25 else ""
        html, pdf = str(path.resolve()), str(path.with_suffix(".pdf").resolve())
        jobs.append({"html": html, "pdf": pdf, "options": options, "font": font})
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or ""
    environment = os.environ | {"NODE_PATH": str(node_modules(root.resolve())), "CHROMIUM": chromium}
    text = "\n".join(json.dumps(job) for job in jobs)
    subprocess.run(
        ["node", str(_NODE / "print.cjs")], env=environment, input=text, text=True, check=False, timeout=_TIMEOUT
    )


def _print_plainly(path: Path, rng: Random) -> None:
    """Print HTML with WeasyPrint, as many small services do."""
    paper = weasyprint.CSS(
        string=f"@page {{ size: {rng.choice(('A4', 'Letter'))}; margin: {rng.choice((8, 12, 18))}mm }}"
    )
    try:
        weasyprint.HTML(filename=str(path), url_fetcher=_nothing).write_pdf(
            path.with_suffix(".pdf"), stylesheets=[paper]
        )
    except Exception:  # whatever its engine cannot bear is left out
        path.with_suffix(".pdf").unlink(missing_ok=True)


def _nothing(url: str, *_: object, **__: object) -> dict[str, Any]:
    raise ValueError(f"not fetched: {url}")
