"""A model card of a version, written from what the registry knows of it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from models.config import Adapter, ModelConfig
from models.registry.calibrated import calibration_line
from models.registry.history import Event, What
from models.registry.provenance import Provenance
from models.registry.registry import Registry, Version

UNKNOWN = "not known"
_LIMITS = {
    Adapter.TEXT_TOKENS: "It sees words in reading order, and no places.",
    Adapter.QUESTION_ANSWERING: "It gives one answer to each question: no line items.",
    Adapter.IMAGE_TO_SEQUENCE: "It writes values, which count only where the page prints the same. It needs a GPU.",
}


def card(registry: Registry, version: Version) -> str:
    """The card in Markdown. Raises ModelError if a file of the registry is damaged."""
    known = version.provenance
    config = ModelConfig.model_validate({**known.model, "checkpoint": str(version.folder.absolute())})
    events = [event for event in registry.history(version.name).events() if event.hash == version.hash]
    verdict = _verdict(registry.gate_file(version))
    sections = {
        f"# Model card: {version.name}@{version.hash[:12]}": _table(_identity(version, known, config)),
        "## Training": _table(_training(known)),
        "## Figures": _figures(known, verdict),
        "## Calibration": [f"{calibration_line(config, known)}."],
        "## Limits": [f"- {line}" for line in _limits(config, known, verdict)],
        "## History": [f"- {line}" for line in _history(events)],
    }
    return "\n\n".join(f"{title}\n\n" + "\n".join(lines) for title, lines in sections.items()) + "\n"


def _identity(version: Version, known: Provenance, config: ModelConfig) -> dict[str, object]:
    return {
        "Hash of the files": version.hash,
        "Kind": config.adapter,
        "Licence": known.licence,
        "From": known.source,
        "Added": known.fetched_at and f"{known.fetched_at:%Y-%m-%d}",
        "Configuration": f"`{json.dumps(known.model, ensure_ascii=False)}`" if known.model else None,
    }


def _training(known: Provenance) -> dict[str, object]:
    return {
        "Base": known.base,
        "Trained": known.trained_at and f"{known.trained_at:%Y-%m-%d}",
        "Data": "; ".join(known.data) if known.data else None,
        "Documents": known.documents,
        "Hours": known.hours,
        "Commit": known.commit,
        "Generator": known.generator,
    }


def _verdict(file: Path) -> Mapping[str, Any]:
    """The verdict by which the version was promoted; empty without one."""
    if not file.is_file():
        return {}
    content: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _figures(known: Provenance, verdict: Mapping[str, Any]) -> list[str]:
    lines = [f"- {name}: {value:.3f}" for name, value in known.metrics.items()] or ["No F1 of its training is known."]
    figures = verdict.get("figures")
    if not figures:
        return [*lines, "", "No `invoices models check` with figures by field promoted it."]
    pair = " and ".join(verdict["candidate"].values())
    lines += ["", f"The pair {pair} on {verdict['documents']} documents ({verdict['checked_at'][:10]}):", ""]
    lines += ["| field | right | `high` | right of `high` |", "|---|---:|---:|---:|"]
    for name, each in figures.items():
        if "scored" in each:
            right, high = f"{each['right']}/{each['scored']}", f"{each['high']}/{each['scored']}"
            lines.append(f"| {name} | {right} | {high} | {each['high_right']}/{each['high']} |")
        else:
            lines.append(f"| {name} | {each['matched']} of {each['true']} rows; {each['given']} given | | |")
    return lines


def _limits(config: ModelConfig, known: Provenance, verdict: Mapping[str, Any]) -> Iterator[str]:
    if config.adapter in _LIMITS:
        yield _LIMITS[config.adapter]
    if config.label_map:
        labels = sorted({label for label in config.label_map.values() if label})
        yield f"It knows only these labels: {', '.join(labels)}."
    if known.data is None:
        yield "Its training data are not known: figures on documents that it was trained on flatter."
    if known.licence is None:
        yield "Its licence is not known: find it out before you deploy it."
    yield from (
        f"Failed in its check: {rule['rule']}: {rule['found']}."
        for rule in verdict.get("rules", ())
        if not rule["passed"]
    )
    yield "Figures hold for documents like those that were measured. Measure it on your own."


def _history(events: list[Event]) -> Iterator[str]:
    for event in events:
        if event.what is not What.LOADED:
            yield f"{event.at:%Y-%m-%d} {event.what.replace('_', ' ')} by {event.by}. {event.note}".rstrip(". ") + "."


def _table(rows: Mapping[str, object]) -> list[str]:
    found = [f"| {name} | {_cell(value)} |" for name, value in rows.items()]
    return ["| | |", "|---|---|", *found]


def _cell(value: object) -> str:
    return UNKNOWN if value is None else str(value).replace("|", "\\|")
