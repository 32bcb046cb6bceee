"""Which pair of models reads a document, and what happens if it cannot."""

import pytest

from serve_app.documents.packing import pack
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, FailureCode, ModelRevisions
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.pace import Stage
from serve_app.domain.packed import ReadDocument
from serve_app.domain.reading import Reading
from serve_app.services.ports import TransientError
from serve_app.services.processing import interpreting
from serve_app.services.processing.interpreting import Interpreting
from tests.support import DOCUMENT, FakeModel, FakeReconciler

OURS = "candidate"


def named(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    models = ModelRevisions(extractor=extractor.revision, verifier=verifier.revision)
    return [Section(1, len(document.pages), Extraction(models=models))]


class Bench:
    """Two pairs: the second one has an extractor of its own and shares the verifier."""

    def __init__(self) -> None:
        self.first, self.verifier, self.second = FakeModel("e@1"), FakeModel("v@1"), FakeModel("e@2")
        self.reconciler = FakeReconciler(named)
        further = {OURS: (self.second, self.verifier)}
        self.interpreting = Interpreting(self.first, self.verifier, self.reconciler, 0, further)

    async def read_by(self, pair: str) -> tuple[str, str]:
        """The pair that read a document, and its extractor as the result names it."""
        interpreted = await self.interpreting.interpret(ReadDocument(pack(DOCUMENT), new_id()), pair)
        models = interpreted.sections[0].extraction.models
        assert models is not None
        return interpreted.pair, models.extractor


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def test_the_pair_that_is_named_reads(bench: Bench) -> None:
    assert await bench.read_by(OURS) == (OURS, "e@2")
    assert await bench.read_by(FIRST) == (FIRST, "e@1")
    assert (bench.first.calls, bench.second.calls, bench.verifier.calls) == (1, 1, 2)


async def test_the_first_pair_reads_instead_of_one_that_is_not_served(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    assert await bench.read_by("unknown") == (FIRST, "e@1")
    assert "no pair unknown is served" in caplog.text


@pytest.mark.parametrize("error", [TransientError("lost"), RuntimeError("IBAN DE00 of a page"), MemoryError()])
async def test_a_pair_that_fails_costs_no_document_and_rests(
    bench: Bench, error: Exception, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise error

    bench.second.before = fail
    assert await bench.read_by(OURS) == (FIRST, "e@1")
    assert await bench.read_by(OURS) == (FIRST, "e@1")
    assert bench.second.calls == 1
    assert type(error).__name__ in caplog.text
    assert "IBAN" not in caplog.text
    monkeypatch.setattr(interpreting, "REST_SECONDS", 0)
    bench.interpreting._rests_until.clear()
    bench.second.before = None
    assert await bench.read_by(OURS) == (OURS, "e@2")


@pytest.mark.parametrize(
    "error", [ValueError("of another document"), DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "too long")]
)
async def test_what_a_pair_says_and_nobody_can_reconcile_is_read_by_the_first(bench: Bench, error: Exception) -> None:
    def refuse(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        if extractor.revision == "e@2":
            raise error
        return named(document, extractor, verifier)

    bench.reconciler.extract = refuse
    assert await bench.read_by(OURS) == (FIRST, "e@1")


async def test_a_document_that_is_at_fault_fails_and_no_pair_rests_for_it(bench: Bench) -> None:
    def refuse(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "too long")

    bench.reconciler.extract = refuse
    with pytest.raises(DocumentError):
        await bench.read_by(OURS)
    bench.reconciler.extract = named
    assert await bench.read_by(OURS) == (OURS, "e@2")


async def test_what_another_pair_costs_does_not_count_as_the_first_ones(bench: Bench) -> None:
    document = ReadDocument(pack(DOCUMENT), new_id())
    assert set((await bench.interpreting.interpret(document, OURS)).busy) == {Stage.RECONCILE}
    assert set((await bench.interpreting.interpret(document)).busy) == {Stage.EXTRACT, Stage.VERIFY, Stage.RECONCILE}
