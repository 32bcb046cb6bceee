"""The scripts for engineers lead from labelled documents, a foreign checkpoint or a chat model to a checked one."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from models.evaluation.gate import verdict
from models.loading import EXTRACTOR, VERIFIER
from models.training.own_documents import LAYOUTS, samples
from models.training.own_documents import write as write_own
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from tests.cli.command_line import attempt
from tests.docs.scripts import EXAMPLES, run_script, steps_of
from tests.models.chat.stand_in import TRIAL, Script, answers, completion, serving, written
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint
from tests.support.foreign import LABEL_MAP, write_foreign
from tests.support.loading import loaded_here

SCRIPTS = sorted(EXAMPLES.glob("*.sh"))
CI = {"github-check-model.yml": ("jobs", "check", "steps"), "gitlab-check-model.yml": ("check-model",)}


class ReadsHere:
    """Reads documents in this process: a child takes seconds to start."""

    def __init__(self, *_: object) -> None: ...

    def read_next(self, data: bytes) -> Document:
        return read_document(data)

    def close(self) -> None: ...


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a script writes. The models in service are tiny, too; networks of random weights pass the check, which sees
    one document."""
    extractor, verifier = write_layout_checkpoint(tmp_path / "extractor"), write_text_checkpoint(tmp_path / "verifier")
    for module in ("models.evaluation.command", "models.evaluation.calibrate", "models.evaluation.gate.command"):
        monkeypatch.setattr(f"{module}.Supervisor", ReadsHere)
        monkeypatch.setattr(f"{module}.EXTRACTOR", EXTRACTOR.model_copy(update={"checkpoint": str(extractor)}))
        monkeypatch.setattr(f"{module}.VERIFIER", VERIFIER.model_copy(update={"checkpoint": str(verifier)}))
    monkeypatch.setattr("models.evaluation.gate.command.tried", loaded_here)
    monkeypatch.setattr("models.footprint.loaded", loaded_here)
    monkeypatch.setattr("models.evaluation.gate.trial.golden", lambda: iter(()))
    monkeypatch.setattr("models.training.run.VALIDATION_DOCUMENTS", 1)
    monkeypatch.setattr("models.evaluation.command._draw", lambda *_: None)
    for name, value in {"LEAST_GOLDEN": 0, "MOST_LOST": 1, "MOST_TIMES_SLOWER": 1e9, "MOST_TIMES_LARGER": 1e9}.items():
        monkeypatch.setattr(verdict, name, value)
    monkeypatch.setenv("MODEL_REGISTRY", str(tmp_path / "registry"))
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Labelled documents: `train`, `calibrate` and `check`."""
    for number, name in enumerate(("train", "calibrate", "check")):
        write_own(tmp_path / name, samples(LAYOUTS[:1], number, 1), "train")
    return tmp_path


@pytest.mark.slow
class TestPaths:
    def test_own_documents_become_a_promoted_model(self, documents: Path, out: Path) -> None:
        (write_layout_checkpoint(documents / "weights" / "extractor") / "tokenizer_config.json").write_text("{}")
        where = {"DATA": documents / "check", "OUT": out}
        run_script("train-model.sh", TRAIN=documents / "train", START=documents / "weights", DOCUMENTS=4, **where)
        assert (out / "after" / "errors.html").is_file()
        promoted = run_script(
            "promote-model.sh",
            MODEL=out / "weights" / "extractor", PLACE="extractor", NAME="ours", LICENCE="Apache-2.0",
            CALIBRATE=documents / "calibrate", **where,
        )  # fmt: skip
        assert "promoted: ours@" in promoted
        assert "checkpoint: registry://ours@" in promoted
        card = (out / "card.md").read_text()
        assert "| Licence | Apache-2.0 |" in card
        assert re.search(r"\| Documents \| \d+ \|", card)
        assert re.search(r"\| amount \| \d/1 \|", card)

    def test_a_foreign_checkpoint_with_other_labels_is_promoted_and_checked(self, documents: Path, out: Path) -> None:
        checkpoint = write_foreign("lilt", documents / "lilt")
        model = documents / "model.yaml"
        model.write_text(
            yaml.safe_dump({"adapter": "layout_tokens", "checkpoint": str(checkpoint), "label_map": LABEL_MAP})
        )
        where = {"MODEL": model, "PLACE": "verifier", "DATA": documents / "check", "OUT": out}
        promoted = run_script(
            "promote-model.sh", NAME="lilt", LICENCE="MIT", CALIBRATE=documents / "calibrate", **where
        )
        assert "promoted: lilt@" in promoted
        assert "It knows only these labels: INVOICE_NUMBER, SELLER, TOTAL." in (out / "card.md").read_text()
        assert "passed" in run_script("check-model.sh", CALIBRATION=out / "calibration.json", **where)

    def test_a_chat_model_is_calibrated_and_checked(self, documents: Path, out: Path) -> None:
        script = Script(answers(completion(written(TRIAL), probability=-0.1)))
        with serving(script) as url:
            model = documents / "chat.yaml"
            endpoint = {"url": url, "sends": "words"}
            model.write_text(yaml.safe_dump({"adapter": "chat", "checkpoint": "tiny", "endpoint": endpoint}))
            where = {"CALIBRATE": documents / "calibrate", "DATA": documents / "check", "OUT": out}
            run_script("chat-model.sh", MODEL=model, PLACE="verifier", **where)
        assert json.loads((out / "gate" / "gate.json").read_text())["passed"] is True
        assert script.asked


def test_a_model_that_is_worse_ends_the_check(documents: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "LEAST_GOLDEN", 1.01)
    checkpoint = write_layout_checkpoint(documents / "one")
    assert attempt("models", "check", str(checkpoint), "--as", "extractor", "--out", str(out)).exit_code == 1


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_names_each_variable_in_its_head(script: Path) -> None:
    subprocess.run(["/bin/bash", "-n", str(script)], check=True, timeout=20)
    head = [line for line in script.read_text().splitlines() if line.startswith("# ")]
    set_here = {step.partition("=")[0] for step in steps_of(script) if step.partition("=")[0].isidentifier()}
    used = set(re.findall(r"\$(\w+)", "\n".join(steps_of(script)))) - set_here
    assert used == {name for name in re.findall(r"\b[A-Z]{3,}\b", "\n".join(head))}


@pytest.mark.parametrize("file", CI)
def test_a_recipe_runs_the_script_with_all_its_variables(file: str) -> None:
    content = yaml.safe_load((EXAMPLES / file).read_text())
    for key in CI[file]:
        content = content[key]
    (variables,) = _variables(content)
    used = set(re.findall(r"\$(\w+)", "\n".join(steps_of(EXAMPLES / "check-model.sh"))))
    assert used == variables.keys()
    assert 'PATH="$PWD/.venv/bin:$PATH" docs/examples/check-model.sh' in (EXAMPLES / file).read_text()


def _variables(job: object) -> Iterator[dict[str, str]]:
    """The variables with which a job runs the script."""
    if isinstance(job, dict):
        yield job["variables"]
    elif isinstance(job, list):
        yield from (step["env"] for step in job if "check-model.sh" in step.get("run", ""))
