"""Documents to label next: those that resemble many others, and none that is labelled."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from models.evaluation.dataset import DatasetError
from models.evaluation.labelling.choose import choose
from models.evaluation.labelling.command import LIST, Options, label_next
from models.evaluation.labelling.looks import looks_of
from models.trial_pages import page_of
from serve_app.commands.cli import app
from serve_app.commands.errors import CommandError
from serve_app.domain.document import Document
from tests.support.pdfs import write_invoice_pdf


class TestLooks:
    def looks(self, *words: str) -> np.ndarray:
        return looks_of(Document((page_of(words),)))

    def test_an_issuer_is_known_by_its_name(self) -> None:
        rest = ["Ltd", *["x"] * 40]
        one, same, other = (self.looks(name, *rest) for name in ("Harbour Tools", "HARBOUR Tools", "Quince"))
        assert one @ same > one @ other

    def test_numbers_and_dates_make_no_difference(self) -> None:
        assert self.looks("Invoice", "17", "of", "3.2.") @ self.looks("Invoice", "98", "of", "8.9.") == pytest.approx(1)

    def test_likenesses_are_between_0_and_1(self) -> None:
        one, other = self.looks("Harbour", "Tools"), self.looks("Nothing", "like", "it")
        assert one @ one == pytest.approx(1)
        assert 0 <= one @ other < 1

    def test_pages_without_words_resemble_nothing(self) -> None:
        assert not self.looks().any()
        assert not looks_of(Document(())).any()


def unit(*rows: tuple[float, ...]) -> np.ndarray:
    array = np.array(rows, np.float32)
    lengths: np.ndarray = np.linalg.norm(array, axis=1, keepdims=True)
    scaled: np.ndarray = array / lengths
    return scaled


class TestChoice:
    # Five documents of one layout, four of another, and one that resembles none.
    LOOKS = unit(*[(1, 0, 0.1 * n) for n in range(5)], *[(0, 1, 0.1 * n) for n in range(4)], (0.1, 0.1, 1))

    def chosen(self, count: int, labelled: np.ndarray | None = None) -> list[int]:
        return [choice.index for choice in choose(self.LOOKS, count, labelled)[0]]

    def test_the_largest_layout_comes_first_and_each_layout_once(self) -> None:
        first, second, third = self.chosen(3)
        assert (first in range(5), second in range(5, 9), third) == (True, True, 9)

    def test_layouts_that_are_labelled_wait(self) -> None:
        assert self.chosen(1, self.LOOKS[:1])[0] in range(5, 9)

    def test_documents_that_add_nothing_are_not_chosen(self) -> None:
        assert self.chosen(99, self.LOOKS) == []
        assert len(self.chosen(99)) == len(set(self.chosen(99))) == 10

    def test_the_reasons_are_what_a_document_covers_and_how_new_it_is(self) -> None:
        (first, second), cover = choose(self.LOOKS, 2)
        assert first.covers == pytest.approx(5.6, abs=0.3)
        assert first.novelty == 1
        assert second.covers == pytest.approx(3.9, abs=0.3)
        assert cover == pytest.approx((first.covers + second.covers) / 10)

    def test_the_gains_that_are_not_computed_again_change_no_choice(self) -> None:
        looks = unit(*map(tuple, np.random.default_rng(3).random((60, 8))))
        expected, cover = [], np.zeros(60, np.float32)
        for _ in range(6):
            gains = np.maximum(looks @ looks.T - cover, 0).sum(1)
            expected.append(int(gains.argmax()))
            cover = np.maximum(cover, looks @ looks[expected[-1]])
        assert [choice.index for choice in choose(looks, 6)[0]] == expected

    def test_nothing_is_chosen_from_nothing(self) -> None:
        assert choose(np.zeros((0, 3), np.float32), 5) == ([], 0.0)


class TestCommand:
    def options(self, folder: Path, out: str = "out", labelled: Path | None = None) -> Options:
        own = folder / "in" / "docs" / "own"
        own.mkdir(parents=True, exist_ok=True)
        for name, firm in (("1", "Harbour Tools"), ("2", "Harbour Tools"), ("3", "Quince Florists")):
            write_invoice_pdf(own / f"{name}.pdf", (firm, f"INVOICE {name}", f"Total: {name}.00"))
        return Options(folder / "in", folder / out, 2, folder / "cache", labelled)

    def test_chosen_documents_are_copied_with_the_reasons(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        label_next(self.options(tmp_path))
        head, *rows = (tmp_path / "out" / LIST).read_text().splitlines()
        assert head == "file,covers,novelty"
        names = [row.split(",")[0] for row in rows]
        assert names[1] == "docs/own/3.pdf"
        assert names[0] in ("docs/own/1.pdf", "docs/own/2.pdf")
        assert all((tmp_path / "out" / name).is_file() for name in names)
        assert "2 of 3 documents to label next" in capsys.readouterr().out
        with pytest.raises(DatasetError, match="is not empty"):
            label_next(self.options(tmp_path))

    def test_the_command_line_names_what_it_needs(self, tmp_path: Path) -> None:
        answer = CliRunner().invoke(app, ["label-next", str(tmp_path / "nothing")])
        assert isinstance(answer.exception, CommandError)
        assert "No such file or directory" in str(answer.exception)
        out = self.options(tmp_path).out
        done = CliRunner().invoke(
            app, ["label-next", str(tmp_path / "in"), "--count", "1", "--out", str(out), "--cache", str(tmp_path / "c")]
        )
        assert done.exit_code == 0, done.exception
        assert len((out / LIST).read_text().splitlines()) == 2

    def test_documents_like_labelled_ones_wait_and_unreadable_ones_are_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = self.options(tmp_path, labelled=tmp_path / "labelled")
        (tmp_path / "labelled").mkdir()
        write_invoice_pdf(tmp_path / "labelled" / "a.pdf", ("Harbour Tools", "INVOICE 7", "Total: 8.00"))
        (options.folder / "docs" / "own" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
        label_next(options)
        rows = (tmp_path / "out" / LIST).read_text().splitlines()
        assert [row.split(",")[0] for row in rows[1:]] == ["docs/own/3.pdf"]
        assert "broken.pdf" in capsys.readouterr().out
