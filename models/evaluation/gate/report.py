"""The verdict as a file that a deployment can ask for, and as a page for people."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.config import ModelConfig
from models.evaluation.baseline import change_grid
from models.evaluation.figures import figures_by_field
from models.evaluation.gate.trial import Run
from models.evaluation.gate.verdict import Finding, Source
from models.gate.digest import digest_of
from serve_app.domain.clock import utc_now

FILE = "gate.json"
PAGE = "gate.md"


def write(
    out: Path, candidate: ModelConfig, before: Run, now: Run, rules: Sequence[Finding], found: Sequence[Source]
) -> bool:
    """Write both; whether the candidate passed."""
    passed = all(rule.passed for rule in rules)
    content: dict[str, Any] = {
        "format": 1,
        "passed": passed,
        "digest": digest_of(candidate),
        "candidate": now.pipeline.revisions.model_dump(),
        "against": before.pipeline.revisions.model_dump(),
        "checked_at": f"{utc_now():%Y-%m-%dT%H:%M:%SZ}",
        "documents": len(now.pair.evaluation.outcomes),
        "rules": [asdict(rule) for rule in rules],
        "figures": figures_by_field(now.pair.evaluation.total),
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / FILE).write_text(json.dumps(content, indent=1) + "\n")
    (out / PAGE).write_text(_page(content, rules, found))
    return passed


def _page(content: dict[str, Any], rules: Sequence[Finding], found: Sequence[Source]) -> str:
    models = " and ".join(f"`{name}`" for name in content["candidate"].values())
    head = f"# {'Passed' if content['passed'] else 'Not passed'}: {models}"
    rows = "\n".join(f"| {rule.rule} | {rule.found} | {'yes' if rule.passed else '**no**'} |" for rule in rules)
    table = f"| rule | found | passed |\n|---|---|---|\n{rows}"
    parts = [f"## {source.name}\n\n{change_grid(list(source.changes)).markdown()}" for source in found]
    return "\n\n".join([head, f"{content['documents']} documents.", table, *parts]) + "\n"
