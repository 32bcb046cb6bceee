"""A model card says what the registry knows of a version, and what it does not know."""

import json
from pathlib import Path
from typing import Any

from models.evaluation.figures import figures_by_field, metrics_of
from models.evaluation.tally import FieldCount, Tally
from models.registry.card import card
from models.registry.history import What
from models.registry.provenance import Provenance
from models.registry.registry import Registry, Version
from serve_app.domain.invoice import Confidence
from tests.cli.command_line import run
from tests.models.registry.conftest import Write

KNOWN: dict[str, Any] = {
    "base": "acme/lilt-base",
    "data": ["generated", "ours: 200 documents"],
    "commit": "0123456789ab",
    "hours": 1.5,
    "documents": 4000,
    "metrics": {"f1": 0.9312},
    "licence": "MIT",
    "source": "/srv/trained|here",
    "model": {"adapter": "layout_tokens", "label_map": {"GROSS": "TOTAL", "OTHER": None}},
}
VERDICT = {
    "passed": True,
    "candidate": {"extractor": "ours", "verifier": "theirs"},
    "checked_at": "2026-11-20T10:00:00Z",
    "documents": 80,
    "rules": [{"rule": "size", "found": "5 times", "passed": False}],
    "figures": {
        "amount": {"scored": 80, "right": 78, "high": 60, "high_right": 59},
        "line_items": {"true": 200, "given": 198, "matched": 190},
    },
}


def added(registry: Registry, folder: Path, /, **known: Any) -> Version:
    def fill(target: Path) -> Provenance:
        for name in ("config.json", "model.safetensors"):
            (target / name).write_bytes((folder / name).read_bytes())
        return Provenance(**known)

    return registry.add("reader", fill)


class TestCard:
    def test_has_licence_data_figures_limits_and_history(self, registry: Registry, write: Write) -> None:
        version = added(registry, write(), **KNOWN)
        registry.history("reader").add(What.PROMOTED, version.hash, "gate passed")
        file = registry.gate_file(version)
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(VERDICT))
        text = card(registry, version)
        for line in (
            f"# Model card: reader@{version.hash[:12]}",
            "| Licence | MIT |",
            "| From | /srv/trained\\|here |",
            "| Data | generated; ours: 200 documents |",
            "| Hours | 1.5 |",
            "| Commit | 0123456789ab |",
            "- f1: 0.931",
            "| amount | 78/80 | 60/80 | 59/60 |",
            "| line_items | 190 of 200 rows; 198 given | | |",
            "- It knows only these labels: TOTAL.",
            "- Failed in its check: size: 5 times.",
        ):
            assert line in text.splitlines(), line
        assert "until one is, no value of its pair is high." in text
        assert "promoted by" in text

    def test_says_what_is_not_known(self, registry: Registry, write: Write) -> None:
        text = card(registry, added(registry, write(), model={"adapter": "question_answering"}))
        assert "| Licence | not known |" in text
        assert "no line items" in text
        assert "Its licence is not known" in text
        assert "No `invoices models check`" in text

    def test_is_printed_or_written_by_a_command(self, registry: Registry, write: Write, tmp_path: Path) -> None:
        version = added(registry, write(), **KNOWN)
        name = f"reader@{version.hash[:12]}"
        printed = run("models", "card", name)
        assert run("models", "card", name, "--out", str(tmp_path / "card.md")).startswith("written: ")
        assert (tmp_path / "card.md").read_text() == printed


def test_the_list_has_licence_and_f1(registry: Registry, write: Write) -> None:
    added(registry, write(), **KNOWN)
    (line,) = run("models", "list").splitlines()
    assert line.split()[2:6] == ["-", "F1", "0.931", "MIT"]


def test_figures_by_field_and_the_metrics_that_are_tracked() -> None:
    tally = Tally(pages=4, seconds=2.0, true_lines=4, predicted_lines=4, matched=3)
    tally.fields["tax"] = FieldCount(scored=10, right=8)
    tally.fields["tax"].levels[Confidence.HIGH] = 5
    tally.fields["tax"].right_levels[Confidence.HIGH] = 4
    assert figures_by_field(tally) == {
        "tax": {"scored": 10, "right": 8, "high": 5, "high_right": 4},
        "line_items": {"true": 4, "given": 4, "matched": 3},
    }
    assert metrics_of(tally) == {
        "right": {"tax": 0.8, "header": 0.8},
        "high": {"tax": 0.5},
        "right of high": {"tax": 0.8},
        "line items": {"f1": 0.75},
        "seconds a page": 0.5,
    }
