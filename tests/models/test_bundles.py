"""Generated files of several documents, and the readings that are simulated for them."""

from random import Random

import numpy as np
import pytest

from models.evaluation.batches import ReadBatch
from models.training.bundles import generate_bundle
from models.training.simulated import simulated_reading
from models.training.splitting import examples, simulated, true_roles
from serve_app.domain.labels import OUTSIDE, TAGS
from serve_app.extraction.evidence import gather
from serve_app.extraction.split.split import Role


@pytest.mark.parametrize("held_out", [True, False])
def test_a_bundle_knows_the_pages_and_labels_of_its_documents(held_out: bool) -> None:
    for seed in range(6):
        bundle = generate_bundle(seed, held_out=held_out)
        assert [len(page.words) for page in bundle.document.pages] == [len(tags) for tags in bundle.tags]
        assert len(bundle.origins) == len(bundle.document.pages)
        assert all(first <= last for first, last in bundle.parts)
        assert all(last < first for (_, last), (first, _) in zip(bundle.parts, bundle.parts[1:], strict=False))


def test_a_seed_gives_the_same_bundle_again() -> None:
    assert generate_bundle(3, held_out=False) == generate_bundle(3, held_out=False)


def test_bundles_have_sheets_or_blank_pages_that_belong_to_no_invoice() -> None:
    roles = [true_roles(generate_bundle(seed, held_out=False)) for seed in range(12)]
    assert {int(role) for each in roles for role in each} == {Role.BEGINS, Role.CONTINUES, Role.FOREIGN}


def test_a_simulated_reading_sees_most_labels_and_invents_few() -> None:
    bundle = generate_bundle(1, held_out=False)
    reading = simulated_reading(bundle, Random(1))
    reading.check_against(bundle.document)
    seen = [TAGS[column] for page in reading.pages for column in page.scores.argmax(axis=1)]
    true = [tag for tags in bundle.tags for tag in tags]
    agreed = sum(one == other for one, other in zip(seen, true, strict=True))
    assert agreed > 0.8 * len(true)
    assert not any(one != OUTSIDE for one, other in zip(seen, true, strict=True) if other == OUTSIDE)


def test_a_mixed_file_has_whole_documents_of_the_file_that_was_read() -> None:
    for seed in range(8):
        bundle = generate_bundle(seed, held_out=False)
        read = ReadBatch(bundle, gather(bundle.document, simulated_reading(bundle, Random(1))))
        mixed = read.mixed(Random(seed))
        assert [page.number for page in mixed.batch.document.pages] == list(range(1, len(mixed.pages) + 1))
        lengths = [last - first for first, last in bundle.parts]
        assert all((last - first) in lengths for first, last in mixed.batch.parts)
        begun = {read.pages[first - 1].page.words for first, _ in bundle.parts}
        assert all(mixed.batch.document.pages[first - 1].words in begun for first, _ in mixed.batch.parts)


def test_examples_have_a_row_for_every_page_with_words() -> None:
    features, roles = examples(simulated(2))
    assert features.shape[0] == len(roles) > 0
    assert np.isfinite(features).all()
