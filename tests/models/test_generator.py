"""What the generator promises to the training."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random

import pytest

from models.training.generator import HELD_OUT, Profile, families, generate, generate_training, generate_validation
from models.training.generator.compose import draw
from models.training.generator.core.lists import LANGUAGES, load
from models.training.generator.facts.build import Brief, build_case
from models.training.generator.families import FAMILIES
from models.training.sample import Sample
from serve_app.domain.labels import OUTSIDE, TAGS, Label

SEEDS = range(120)
TRAINED = range(300)
FEWEST_FAMILIES, FEWEST_HELD_OUT = 60, 10
FEWEST_LANGUAGES, FEWEST_CURRENCIES = 10, 20
HIGHEST_HELD_OUT_SHARE = 0.25
LEAST_RECEIPTS = 0.2
NON_INVOICES = (0.05, 0.15)


def seeded(name: str) -> Random:
    return Random(name)


@pytest.fixture(scope="module")
def noisy() -> list[Sample]:
    """Documents as the training sees them."""
    return [generate(seed, profile) for seed in SEEDS for profile in Profile]


@pytest.fixture(scope="module")
def clean() -> list[Sample]:
    """A few documents of every family, without reading errors."""
    return [
        draw(family, seeded(f"{name}/{seed}"), Profile.EXTRACTOR, noisy=False)
        for name, family in FAMILIES.items()
        for seed in range(2)
    ]


@pytest.fixture(scope="module")
def trained() -> list[Sample]:
    """Documents that the models are trained on."""
    return [generate_training(seed, profile) for seed in TRAINED for profile in Profile]


def words_of(sample: Sample, *labels: Label) -> list[str]:
    """The texts tagged with one of `labels`, each from its begin to the last of its words."""
    found: list[str] = []
    for page, tags in zip(sample.document.pages, sample.tags, strict=True):
        for word, tag in zip(page.words, tags, strict=True):
            if tag[2:] not in labels:
                continue
            if tag.startswith("B") or not found:
                found.append(word.text)
            else:
                found[-1] += f" {word.text}"
    return found


def letters(text: str) -> list[str]:
    """The letters and digits of a text in the order of the alphabet: lines of values may be interwoven."""
    return sorted(char for char in text.casefold() if char.isalnum())


def digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def all_tags(samples: list[Sample]) -> Iterator[str]:
    return (tag for sample in samples for tags in sample.tags for tag in tags)


def test_a_seed_always_gives_the_same_document() -> None:
    assert generate(7) == generate(7)
    assert generate(7) != generate(8)
    assert generate(7) != generate(7, Profile.VERIFIER)


def test_every_word_has_a_known_tag(noisy: list[Sample]) -> None:
    for sample in noisy:
        assert [len(page.words) for page in sample.document.pages] == [len(tags) for tags in sample.tags]
    assert set(all_tags(noisy)) <= set(TAGS)


def test_a_value_begins_before_it_continues(noisy: list[Sample]) -> None:
    """Lines of a description may be parted by the row's numbers, so `I-` follows its `B-` anywhere before."""
    for sample in noisy:
        begun: set[str] = set()
        for tag in all_tags([sample]):
            if tag.startswith("B-"):
                begun.add(tag[2:])
            assert tag == OUTSIDE or tag[2:] in begun


def test_boxes_lie_on_the_page(noisy: list[Sample]) -> None:
    for sample in noisy:
        for page in sample.document.pages:
            for word in page.words:
                box = word.box
                assert 0 <= box.x0 < box.x1 <= 1
                assert 0 <= box.y0 < box.y1 <= 1
                assert word.text
                assert word.text.split() == [word.text]
                assert 0 <= word.confidence <= 1


def test_every_label_and_language_occurs(noisy: list[Sample]) -> None:
    assert {tag[2:] for tag in all_tags(noisy) if tag != OUTSIDE} == set(Label)
    assert {sample.language for sample in noisy} == set(LANGUAGES)


def test_families_are_many() -> None:
    assert len(families()) >= FEWEST_FAMILIES
    assert len(HELD_OUT) >= FEWEST_HELD_OUT


def test_languages_and_currencies_really_appear(trained: list[Sample]) -> None:
    assert len({sample.language for sample in trained}) >= FEWEST_LANGUAGES
    assert len({sample.truth.currency for sample in trained} - {None}) >= FEWEST_CURRENCIES


def test_every_family_is_trained_on_or_held_out(trained: list[Sample]) -> None:
    assert len({sample.family for sample in trained}) > 0.9 * (len(families()) - len(HELD_OUT))


def test_receipts_and_pages_that_are_no_invoice_have_their_share(trained: list[Sample]) -> None:
    receipts = sum(FAMILIES[sample.family].brief.cash for sample in trained)
    others = sum(not sample.is_invoice for sample in trained)
    assert receipts / len(trained) >= LEAST_RECEIPTS
    assert NON_INVOICES[0] <= others / len(trained) <= NON_INVOICES[1]


def test_the_profiles_prefer_other_families_and_words() -> None:
    training = [name for name in families() if name not in HELD_OUT]
    ratios = [Profile.EXTRACTOR.liking(name) / Profile.VERIFIER.liking(name) for name in training]
    assert sum(ratio > 2 for ratio in ratios) >= 5
    assert sum(ratio < 0.5 for ratio in ratios) >= 5
    words = [(key, word) for key, all_words in load("wordings", "en").items() for word in all_words]
    skipped = [{pair for pair in words if profile.skips("en", *pair)} for profile in Profile]
    assert all(skipped)
    assert not skipped[0] & skipped[1]


def test_names_and_numbers_of_the_truth_are_printed(clean: list[Sample]) -> None:
    for sample in clean:
        if sample.truth.vendor_name:
            assert sample.truth.vendor_name.split()[0] in " ".join(words_of(sample, Label.SELLER)), sample.family
        if sample.truth.invoice_number:
            assert digits(sample.truth.invoice_number) in digits(" ".join(words_of(sample, Label.INVOICE_NUMBER)))


def test_every_printing_of_the_issuers_name_is_whole(clean: list[Sample]) -> None:
    for sample in clean:
        texts = words_of(sample, Label.SELLER)
        name = sample.truth.vendor_name or ""
        brands = (
            sum(letters(text) == letters(sample.brand) for text in texts)
            if letters(name) != letters(sample.brand)
            else 0
        )
        printed = name * (len(texts) - brands) + sample.brand * brands
        assert letters("".join(texts)) == letters(printed), (sample.family, name, texts)


def test_every_printing_of_the_number_is_whole(clean: list[Sample]) -> None:
    """A caption may be glued to it, as in `No:4711`."""
    for sample in clean:
        texts = words_of(sample, Label.INVOICE_NUMBER)
        printed = " ".join(texts)
        assert printed.count(sample.truth.invoice_number or "none") >= len(texts), (sample.family, printed)


def test_the_total_is_one_amount(clean: list[Sample]) -> None:
    for sample in clean:
        assert len({digits(text) for text in words_of(sample, Label.TOTAL)}) <= 1, sample.family


def test_amounts_of_the_truth_are_printed(clean: list[Sample]) -> None:
    for sample in clean:
        truth = sample.truth
        if truth.amount is not None:
            printed = {digits(text) for text in words_of(sample, Label.TOTAL, Label.AMOUNT_DUE)}
            assert printed & {digits(f"{truth.amount:.2f}"), digits(f"{truth.amount:.0f}")}, (
                sample.family,
                printed,
                truth.amount,
            )


def test_items_of_the_truth_are_printed(clean: list[Sample]) -> None:
    for sample in clean:
        assert len(sample.truth.line_items) == len(words_of(sample, Label.LINE_TOTAL)) or not sample.is_invoice, (
            sample.family
        )
        descriptions = " ".join(words_of(sample, Label.LINE_DESCRIPTION))
        for item in sample.truth.line_items:
            assert (item.description or "").split()[0] in descriptions


def test_dates_of_the_truth_are_printed(clean: list[Sample]) -> None:
    for sample in clean:
        for value, label in ((sample.truth.issued_at, Label.ISSUE_DATE), (sample.truth.due_at, Label.DUE_DATE)):
            texts = words_of(sample, label)
            assert bool(texts) == (value is not None)
            assert value is None or any(str(value.year % 100) in text for text in texts)


def test_amounts_are_consistent() -> None:
    rng = seeded("amounts")
    for _ in range(300):
        case = build_case(rng, Profile.EXTRACTOR, Brief())
        assert case.total == case.net + case.tax + case.rounding
        assert case.amount_due == case.total - case.paid - case.withheld
        assert case.lines_sum == sum((item.total for item in case.items), Decimal(0))
        base = case.net + case.tax if case.gross_prices else case.net
        assert base == case.lines_sum - case.discount + case.shipping


def test_a_currency_glued_to_an_amount_is_no_currency(clean: list[Sample]) -> None:
    for sample in clean:
        assert not any(any(char.isdigit() for char in text) for text in words_of(sample, Label.CURRENCY))


def test_held_out_families_are_apart() -> None:
    assert 0 < len(HELD_OUT) < HIGHEST_HELD_OUT_SHARE * len(families())
    assert {generate_validation(seed).family for seed in range(60)} <= set(HELD_OUT)


def test_held_out_families_are_never_trained_on(trained: list[Sample]) -> None:
    assert not {sample.family for sample in trained} & set(HELD_OUT)


def test_pages_that_are_no_invoice_have_no_answer(noisy: list[Sample]) -> None:
    others = [sample for sample in noisy if not sample.is_invoice]
    assert others
    for sample in others:
        assert sample.truth.model_dump(exclude_defaults=True) == {}
        assert {tag[2:] for tag in all_tags([sample])} <= {"", Label.OTHER_NUMBER, Label.OTHER_DATE}


def test_languages_have_the_same_words() -> None:
    expected = set(load("wordings", "en"))
    for language in LANGUAGES:
        assert set(load("wordings", language)) - {"months_genitive"} == expected
