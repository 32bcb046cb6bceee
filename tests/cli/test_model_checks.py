"""`invoices models --check` says what is wrong with the models of a configuration before they are deployed."""

import pytest

from models.footprint import Tried
from serve_app.reconciling.calibrations import load_calibration
from tests.cli.command_line import attempt

BUNDLED = load_calibration()
EXTRACTOR = Tried(BUNDLED.extractor, None, 200, BUNDLED.extractor_sha256 or "")
VERIFIER = Tried(BUNDLED.verifier, None, 200, BUNDLED.verifier_sha256 or "")
OTHER = Tried("other@1", None, 200, "0" * 64)


def tried(monkeypatch: pytest.MonkeyPatch, **models: Tried) -> None:
    """What loading the models of a configuration came to; `_` in a name stands for `-`."""
    found = {name.replace("_", "-"): each for name, each in models.items()}
    monkeypatch.setattr("serve_app.commands.models.tried_models", lambda path: iter(found.items()))


def test_a_pair_with_its_calibration_is_only_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    tried(monkeypatch, Extractor=EXTRACTOR, Verifier=VERIFIER)
    assert "no value is high" not in attempt("models", "--check", "serve.yaml").output


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (OTHER, "pair first: no value is high: no calibration was fitted on the models other@1"),
        (Tried(EXTRACTOR.revision, None, 200, OTHER.sha256), "pair first: no value is high: the calibration for"),
    ],
)
def test_a_pair_without_a_calibration_is_named(monkeypatch: pytest.MonkeyPatch, changed: Tried, problem: str) -> None:
    tried(monkeypatch, Extractor=changed, Verifier=VERIFIER)
    assert problem in attempt("models", "--check", "serve.yaml").output


def test_a_further_pair_shares_the_models_that_it_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    tried(monkeypatch, Extractor=EXTRACTOR, Verifier=VERIFIER, Extractor_trial=OTHER)
    shown = attempt("models", "--check", "serve.yaml").output
    assert "pair trial: no value is high" in shown
    assert "pair first" not in shown


def test_a_refused_model_is_no_matter_of_calibrations(monkeypatch: pytest.MonkeyPatch) -> None:
    tried(monkeypatch, Extractor=Tried(None, "it has no weights"), Verifier=VERIFIER)
    shown = attempt("models", "--check", "serve.yaml").output
    assert "Extractor: refused: it has no weights" in shown
    assert "no value is high" not in shown
