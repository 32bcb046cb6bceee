"""`invoices render` writes what it is asked for, and says in one line what is wrong with values."""

from pathlib import Path

import yaml

from tests.cli.command_line import Fails, run

VALUES = Path(__file__).parents[2] / "deploy" / "kubernetes" / "values.yaml"


def test_it_prints_or_writes_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out.yaml"
    printed = run("render", "kubernetes", "--values", str(VALUES))
    run("render", "kubernetes", "--values", str(VALUES), "--out", str(out))
    assert out.read_text() == printed
    assert "RayService" in [each["kind"] for each in yaml.safe_load_all(printed)]


def test_wrong_values_are_named_in_one_line(tmp_path: Path, fails: Fails) -> None:
    file = tmp_path / "values.yaml"
    assert "No such file" in fails("render", "kubernetes", "--values", str(file))
    file.write_text("image: invoices:latest\nheads: {}\n")
    line = fails("render", "kubernetes", "--values", str(file))
    assert "image: String should match" in line
    assert "heads: Extra inputs" in line
    file.write_text("image: [")
    assert "not YAML" in fails("render", "kubernetes", "--values", str(file))
