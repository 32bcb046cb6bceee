"""`invoices evaluate` from a folder to figures, and one run against another."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from models.chosen import chosen_model
from models.config import ModelError
from models.evaluation.baseline import change_grid, changed_grid, changes, sign_test
from models.evaluation.calibrate import collect, collect_labelled
from models.evaluation.calibrate import main as calibrate
from models.evaluation.command import Options, run
from models.evaluation.console import figures_console
from models.evaluation.dataset import load_dataset
from models.evaluation.evaluate import evaluate
from models.evaluation.grid import Grid
from models.evaluation.page import BEGIN, END, PageError, fill_page
from models.evaluation.record import RunError, Scored, read_outcomes
from models.loading import EXTRACTOR, VERIFIER, Adapter, ModelConfig
from models.pipeline import Pipeline
from models.training.own_documents import LAYOUTS, samples
from models.training.own_documents import write as write_own
from models.training.real import read_real
from serve_app.documents.reader import read_document
from serve_app.extraction.confidence.calibration import CalibrationError
from serve_app.reconciling.calibrations import load_calibration
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint
from tests.support.foreign import LABEL_MAP, write_foreign

SAMPLES = Path(__file__).parents[2] / "samples"
TRUTH = {
    "vendor_name": "Ewing & Kennedy LLC",
    "invoice_number": "46380",
    "amount": 380.34,
    "currency": "USD",
    "due_at": None,
}


def scored(document: str, field: str) -> Scored:
    return Scored(document, 0, field)


def test_a_difference_of_one_or_two_values_is_chance() -> None:
    assert sign_test(0, 0) == sign_test(1, 1) == 1.0
    assert sign_test(0, 2) == 0.5
    assert sign_test(0, 8) < 0.01
    assert sign_test(2000, 2000) == 1.0


def test_changed_values_are_found_on_what_both_runs_scored() -> None:
    before = {scored("a", "amount"): True, scored("b", "amount"): False, scored("gone", "amount"): True}
    now = {scored("a", "amount"): False, scored("b", "amount"): True, scored("new", "amount"): True}
    found = changes(before, now)
    assert [(change.field, change.count, change.before, change.now) for change in found] == [
        ("amount", 2, 1, 1),
        ("all", 2, 1, 1),
    ]
    assert found[0].lost == (scored("a", "amount"),)
    assert [row[0] for row in changed_grid(found).rows] == ["a [1]", "b [1]"]
    assert change_grid(found).rows[0][-1] == "1.000"


def test_what_is_no_earlier_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not the result of an earlier evaluation"):
        read_outcomes(tmp_path)
    (tmp_path / "other.json").write_text('{"documents": [1]}')
    with pytest.raises(RunError, match=r"other\.json is not the result of an earlier evaluation"):
        read_outcomes(tmp_path / "other.json")


def test_a_grid_is_a_markdown_table() -> None:
    page = Grid("Title", ("a", "b"), [["x|y", "1"]]).markdown()
    assert page.splitlines() == ["**Title**", "", "| a | b |", "| --- | ---: |", "| x\\|y | 1 |"]


LONG = Grid("Title", ("document", "change"), [["x" * 200, "lost " + "z" * 200]])


def test_a_redirected_table_is_whole(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    figures_console().print(LONG.rich())
    assert f"{LONG.rows[0][0]} │ {LONG.rows[0][1]}" in capsys.readouterr().out


def test_a_table_is_as_wide_as_the_terminal_and_nothing_is_cut() -> None:
    terminal = StringIO()
    Console(force_terminal=True, width=60, file=terminal, color_system=None).print(LONG.rich())
    assert max(map(len, terminal.getvalue().splitlines())) <= 60
    assert terminal.getvalue().count("x") == terminal.getvalue().count("z") == 200


def test_a_model_is_a_folder_or_a_user_config(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "config.json").write_text("{}")
    assert chosen_model(None, EXTRACTOR) == EXTRACTOR
    assert chosen_model(str(tmp_path / "weights"), EXTRACTOR).checkpoint == str(tmp_path / "weights")
    (tmp_path / "model.yaml").write_text("adapter: text_tokens\ncheckpoint: weights\n")
    chosen = chosen_model(str(tmp_path / "model.yaml"), EXTRACTOR)
    assert (chosen.adapter, chosen.checkpoint) == ("text_tokens", str(tmp_path / "weights"))
    (tmp_path / "wrong.json").write_text('{"adapter": "nothing", "checkpoint": "weights"}')
    for name, message in (("wrong.json", "adapter: "), ("missing.json", "there is no such checkpoint folder")):
        with pytest.raises(ModelError, match=message):
            chosen_model(str(tmp_path / name), EXTRACTOR)


def test_a_calibration_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r"no calibration in .*none\.json"):
        load_calibration(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(CalibrationError, match=r"bad\.json is not a valid calibration: fields: Field required"):
        load_calibration(tmp_path / "bad.json")
    assert load_calibration().fields


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    for name in ("docs/a", "truth/a"):
        (data / name).mkdir(parents=True)
    (data / "docs/a/one.pdf").write_bytes((SAMPLES / "invoice.pdf").read_bytes())
    (data / "truth/a/one.pdf.json").write_text(json.dumps(TRUTH))
    (data / "docs/a/two.pdf").write_bytes(b"nothing")
    (data / "truth/a/two.pdf.json").write_text(json.dumps({"expect": "no PDF"}))
    return data


@pytest.mark.slow
def test_a_run_writes_its_figures_and_a_second_one_compares(dataset: Path, tmp_path: Path) -> None:
    """With models of random weights: what is measured does not matter here."""
    models: dict[str, Any] = {
        "extractor": str(write_layout_checkpoint(tmp_path / "one")),
        "verifier": str(write_text_checkpoint(tmp_path / "two")),
    }
    (dataset / "truth/a/one.pdf.json").write_text(json.dumps(TRUTH | {"tax": 1.23}))
    first, second, cache = tmp_path / "first", tmp_path / "second", tmp_path / "cache"
    run(Options(dataset, first, cache=cache, **models))
    run(Options(dataset, second, cache=cache, compare=first, **models))
    record = json.loads((second / "evaluation.json").read_text())
    assert record["total"]["header"]["scored"] == 6
    assert record["documents"][0]["invoices"][0]["fields"]["amount"]["true"] == TRUTH["amount"]
    assert record["total"]["no_invoice"] == {"files": 1, "with_values": 0, "high_values": 0}
    assert [document["name"] for document in record["documents"]] == ["a/one.pdf", "a/two.pdf"]
    assert "FOR OTHER MODELS" in (second / "report.md").read_text()
    assert "Against the earlier run" in (second / "report.md").read_text()
    errors = json.loads((second / "errors.json").read_text())["errors"]
    wrong = {name for name, of in record["documents"][0]["invoices"][0]["fields"].items() if not of["right"]}
    assert {error["field"] for error in errors if error["verdict"] != "right"} == wrong
    assert all(error["before"]["given"] == error["given"] for error in errors)
    assert 'src="data:image/jpeg;base64,' in (second / "errors.html").read_text()


@pytest.mark.slow
def test_a_calibration_is_fitted_by_one_command(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "calibration.json"
    arguments = [
        "calibrate",
        str(dataset),
        "--out",
        str(out),
        "--cache",
        str(tmp_path / "cache"),
        "--name",
        "two files",
    ]
    monkeypatch.setattr("sys.argv", arguments)
    calibrate()
    fitted = load_calibration(out)
    assert fitted.extractor is not None
    assert fitted.extractor.startswith("extractor-")
    assert fitted.sources[0].name == "two files"
    assert "vendor" in capsys.readouterr().out


def test_the_figures_of_a_page_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    for _ in range(2):
        fill_page(page, "Head.", [Grid("Title", ("a",), [["1"]])])
    assert page.read_text() == f"before\n{BEGIN}\n\nHead.\n\n**Title**\n\n| a |\n| --- |\n| 1 |\n\n{END}\nafter\n"
    page.write_text("no marks")
    with pytest.raises(PageError, match=r"page\.md has no"):
        fill_page(page, "Head.", [])


@pytest.mark.slow
def test_a_model_that_looks_at_pages_is_measured_and_calibrated(dataset: Path, tmp_path: Path) -> None:
    extractor = write_foreign("layoutlmv3 with pictures", tmp_path / "one")
    chosen = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=str(extractor), label_map=LABEL_MAP)
    verifier = VERIFIER.model_copy(update={"checkpoint": str(write_text_checkpoint(tmp_path / "two"))})
    pipeline = Pipeline(chosen, verifier)
    evaluation = evaluate(dataset, tmp_path / "out", pipeline, read_document, sets=[], progress=lambda *_: None)
    assert [outcome.failure is None for _, outcome in evaluation.outcomes] == [True, False]
    assert collect(dataset, tmp_path / "cache", pipeline)
    write_own(tmp_path / "own", samples(LAYOUTS, 0, 1), "validation")
    assert collect_labelled(tmp_path / "own", tmp_path / "cache", pipeline)


def test_documents_in_the_place_of_own_ones_are_a_dataset_and_can_be_trained_on(tmp_path: Path) -> None:
    write_own(tmp_path, samples(LAYOUTS, 0, 2), "train")
    first, second = load_dataset(tmp_path)
    assert (first.name, first.kind, first.group) == ("own/0000.pdf", "text-pdf", LAYOUTS[0])
    labelled = read_real(tmp_path, "train")
    assert [document.id for document in labelled] == [first.name, second.name]
    assert labelled[0].values["amount"] == first.truths[0]["amount"]
    words = {word.text for page in read_document(first.path.read_bytes()).pages for word in page.words}
    generated = {word.text for page in labelled[0].document.pages for word in page.words}
    assert len(words & generated) > 0.9 * len(generated)
