"""The calibration is fitted well, judged on unseen documents, and never overconfident."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from models.evaluation.crossvalidation import (
    auto_verified,
    cross_validate,
    cross_validate_targets,
    fit_calibration,
    quality,
)
from models.evaluation.logistic import Floats, Indices, Ridge, fit, predict
from models.evaluation.observations import KINDS, Judged, Observation
from models.evaluation.reliability import bins, brier, expected_error, risk_coverage, wilson
from models.evaluation.target_thresholds import thresholds_at
from models.evaluation.thresholds import common_threshold, field_threshold, upper_bound
from models.evaluation.trust import target_grid
from serve_app.domain.guarantee import Candidate, binomial_tail, guaranteed
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Field
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import NEVER
from serve_app.extraction.confidence.confidence import Support, probability


def drawn() -> np.random.Generator:
    """The same draws for each test, whatever ran before it."""
    return np.random.default_rng(7)


def simulated(weights: Floats, count: int) -> tuple[Floats, Indices, Floats]:
    """Values of two groups, right with the probability that the weights give."""
    random = drawn()
    inputs = random.normal(size=(count, weights.shape[1] - 1))
    groups = random.integers(0, 2, count)
    right = (random.random(count) < predict(inputs, groups, weights)).astype(np.float64)
    return inputs, groups, right


def test_known_coefficients_are_recovered() -> None:
    true = np.array([[0.5, 1.0, 2.0], [-0.5, 0.2, 1.0]])
    inputs, groups, right = simulated(true, 10_000)
    found = fit(inputs, groups, right, np.ones(len(right)), 2, Ridge(0.01, 0.01, 0.01))
    assert found == pytest.approx(true, abs=0.15)


def test_weights_are_never_negative() -> None:
    inputs, groups, right = simulated(np.array([[0.0, -2.0], [0.0, -2.0]]), 2000)
    found = fit(inputs, groups, right, np.ones(len(right)), 2, Ridge())
    assert (found[:, 1:] == 0).all()


def test_a_group_with_few_values_stays_near_the_others() -> None:
    inputs, _, right = simulated(np.array([[0.0, 2.0], [0.0, 2.0]]), 1000)
    groups = np.zeros(1000, dtype=np.int64)
    groups[:2] = 1
    found = fit(inputs, groups, right, np.ones(1000), 2, Ridge())
    assert found[1, 1] == pytest.approx(found[0, 1], abs=0.3)


def test_a_perfect_predictor_has_no_calibration_error() -> None:
    random = drawn()
    chances = list(random.random(20_000))
    right = [bool(random.random() < chance) for chance in chances]
    assert expected_error(chances, right) < 0.015
    assert expected_error([0.0, 1.0], [False, True]) == brier([0.0, 1.0], [False, True]) == 0.0


def test_an_overconfident_predictor_is_found_out() -> None:
    assert expected_error([0.99] * 100, [True, False] * 50) == pytest.approx(0.49)


def test_bins_hold_every_value_once() -> None:
    parts = bins([0.1] * 7 + [0.9] * 6, [False] * 7 + [True] * 6)
    assert sum(part.count for part in parts) == 13
    assert sum(part.right for part in parts) == 6
    assert bins([], []) == []


def test_few_values_have_a_wide_interval() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(10, 10)
    assert (round(low, 2), round(high, 2)) == (0.72, 1.0)
    assert wilson(1000, 1000)[0] > 0.99


def test_risk_grows_with_what_is_taken() -> None:
    coverage, risk = risk_coverage([0.9, 0.1, 0.8], [True, False, True])
    assert list(coverage) == pytest.approx([1 / 3, 2 / 3, 1])
    assert list(risk) == pytest.approx([0, 0, 1 / 3])


def ladder(count: int, wrong: Sequence[int] = (), weight: float = 1.0) -> list[Candidate]:
    """Values of falling probability from 1 to 0.7; those with the numbers `wrong` are."""
    return [Candidate(1 - 0.3 * n / count, n not in wrong, weight) for n in range(count)]


def test_so_many_right_ones_show_what_share_may_be_wrong() -> None:
    """230 right ones and no wrong one: were more than 1 % wrong, that would happen once in ten times at most."""
    assert binomial_tail(0, 230, 0.01) <= 0.1 < binomial_tail(0, 229, 0.01)
    assert upper_bound(0, 230) == pytest.approx(0.01, abs=1e-3)
    assert upper_bound(1, 388) == pytest.approx(0.01, abs=1e-3)
    assert upper_bound(0, 0) == 1.0


def test_high_ends_where_the_guarantee_does() -> None:
    perfect = ladder(500)
    assert guaranteed(perfect, 0.01) == perfect[-1].chance
    spoilt = ladder(1000, wrong=range(600, 1000))
    found = guaranteed(spoilt, 0.01)
    assert found is not None
    assert spoilt[605].chance < found < spoilt[500].chance


def test_few_values_guarantee_nothing() -> None:
    assert guaranteed(ladder(100), 0.01) is None
    assert guaranteed([], 0.01) is None


def test_documents_that_are_nearly_the_same_are_no_independent_evidence() -> None:
    assert guaranteed(ladder(500), 0.01) is not None
    assert guaranteed(ladder(500, weight=0.2), 0.01) is None


def test_a_guarantee_holds_as_often_as_it_says() -> None:
    """Values of which 2 % are wrong whatever their probability: a threshold for 1 % is found in a tenth at most."""
    rng = np.random.default_rng(1)
    found = [
        guaranteed([Candidate(float(chance), bool(rng.random() > 0.02)) for chance in rng.uniform(0.7, 1, 500)], 0.01)
        for _ in range(200)
    ]
    assert sum(chance is not None for chance in found) <= 0.1 * len(found)


def test_a_field_is_never_below_what_holds_for_all() -> None:
    many = ladder(1000, wrong=range(600, 1000))
    common = common_threshold(many)
    assert common.is_guaranteed
    assert field_threshold(ladder(300), many, common.chance).chance >= common.chance
    assert field_threshold([], many, common.chance).chance == 1.0


def test_a_field_without_a_guarantee_goes_by_its_count() -> None:
    many = ladder(1000)
    good = field_threshold(ladder(40), many, 0.6)
    bad = field_threshold(ladder(40, wrong=range(0, 40, 3)), many, 0.6)
    assert (good.is_guaranteed, good.chance < 1) == (False, True)
    assert bad.chance == 1.0


def observations(documents: int) -> list[Observation]:
    """Values of a model that is right as often as it says."""
    random = drawn()
    found = []
    for number in range(documents):
        for kind in KINDS:
            score, agree = float(random.random()), bool(random.random() < 0.7)
            support = Support(models_agree=agree, adds_up=True, extractor=score, verifier=score if agree else 0.0)
            right = bool(random.random() < (0.3 + 0.7 * score if agree else 0.3))
            found.append(Observation(f"d{number}", f"g{number // 2}", kind, support, right))
    return [*found, Observation("d0", "g0", "vendor", None, False)]


def test_what_was_not_seen_is_judged_well() -> None:
    observed = observations(40)
    judged = cross_validate(observed, 5)
    assert sorted(map(id, (judgement.observation for judgement in judged))) == sorted(map(id, observed))
    result = quality(judged, 5)
    assert result.ece < 0.2
    calibration = fit_calibration(observed, 5)
    assert calibration.fields[Field.VENDOR].weights[0] > 0
    assert [judgement.level for judgement in judged if judgement.chance is None] == [None]


def test_documents_of_a_group_are_never_on_both_sides() -> None:
    """Each group gives one value that nothing but itself could teach: it must stay unknown."""
    weak = Support(models_agree=False, adds_up=False, extractor=0.0, verifier=0.0)
    base = [replace(observation, is_right=True) for observation in observations(40)]
    odd = [Observation(f"odd{i}", "odd", "tax", weak, False) for i in range(30)]
    judged = cross_validate([*base, *odd], 5)
    assert all((judgement.chance or 0) > 0.5 for judgement in judged if judgement.observation.group == "odd")


def test_nothing_to_fit_on_is_an_error() -> None:
    with pytest.raises(ValueError, match="no values"):
        cross_validate([], 5)


def test_the_file_gives_the_probability_that_was_fitted() -> None:
    observed = observations(30)
    calibration = fit_calibration(observed, 5)
    sure = Support(models_agree=True, adds_up=True, extractor=0.95, verifier=0.95)
    weak = Support(models_agree=False, adds_up=False, extractor=0.1, verifier=0.0)
    part = calibration.fields[Field.AMOUNT]
    assert probability(sure, part) > 0.8 > probability(weak, part)


def test_high_is_counted_on_what_should_be_given() -> None:
    support = Support(models_agree=True, adds_up=True, extractor=1.0, verifier=1.0)
    given = Observation("a", "a", "vendor", support, True)
    missing = Observation("b", "b", "vendor", None, False)
    judged = [Judged(given, 0.9, Confidence.HIGH), Judged(missing, None, None)]
    result = quality(judged, 2)
    assert (result.high_precision, result.high_coverage) == (1.0, 0.5)


def test_documents_count_as_verified_if_all_needed_values_are_high() -> None:
    support = Support(models_agree=True, adds_up=True, extractor=1.0, verifier=1.0)

    def judged(case: str, level: Confidence, *, vendor_is_right: bool = True) -> list[Judged]:
        kinds = [(field.value, vendor_is_right or field is not Field.VENDOR) for field in VERIFIED_BY]
        return [Judged(Observation(case, case, kind, support, is_right), 0.9, level) for kind, is_right in kinds]

    without_vendor = [one for one in judged("d", Confidence.HIGH) if one.observation.kind != Field.VENDOR]
    wrong = judged("c", Confidence.HIGH, vendor_is_right=False)
    documents = [*judged("a", Confidence.HIGH), *judged("b", Confidence.MID), *wrong, *without_vendor]
    assert auto_verified(documents) == (2, 1, 3)


def test_a_field_whose_high_values_do_not_prove_right_has_no_high() -> None:
    sure = Support(models_agree=True, adds_up=True, extractor=0.95, verifier=0.95)
    good = [Observation(f"a{i}", f"a{i}", "amount", sure, True) for i in range(400)]
    bad = [Observation(f"b{i}", f"b{i}", "vendor", sure, i % 4 != 0) for i in range(40)]
    judged = cross_validate([*good, *bad], 5)
    assert {judgement.observation.kind for judgement in judged if judgement.level is Confidence.HIGH} == {"amount"}
    calibration = fit_calibration([*good, *bad], 5)
    assert calibration.fields[Field.VENDOR].high == 1.0
    assert calibration.fields[Field.AMOUNT].high < 1.0


def test_a_source_is_judged_by_what_others_taught() -> None:
    """A source whose values are wrong as a whole, in a way that only it shows, must not be foreseen by itself."""
    sure = Support(models_agree=True, adds_up=True, extractor=0.95, verifier=0.95)
    right = [
        Observation(f"{source}{i}", f"{source}{i}", "amount", sure, is_right=True, source=source)
        for source in ("a", "b", "c")
        for i in range(200)
    ]
    odd = [Observation(f"o{i}", f"o{i}", "amount", sure, is_right=False, source="odd") for i in range(60)]
    judged = cross_validate([*right, *odd], 5)
    mine = [judgement for judgement in judged if judgement.observation.source == "odd"]
    assert all(judgement.level is Confidence.HIGH for judgement in mine)
    others = [judgement for judgement in judged if judgement.observation.source != "odd"]
    assert not any(judgement.level is Confidence.HIGH for judgement in others)


def test_values_that_may_be_high_are_fitted_by_themselves() -> None:
    """Of the values that fulfil the conditions all are right, of the others half: no sum of weights says so."""
    good = Support(models_agree=True, adds_up=True, extractor=0.6, verifier=0.6)
    doubted = [replace(good, **less) for less in ({"models_agree": False}, {"adds_up": False}, {"is_plausible": False})]
    observed = [
        Observation(f"d{number}", f"g{number}", "vendor", support, support is good or number % 2 == 0)
        for number in range(120)
        for support in [good, *doubted][number % 4 : number % 4 + 1]
    ]
    part = fit_calibration(observed, 5).fields[Field.VENDOR]
    assert part.proved is not None
    together = part.model_copy(update={"proved": None})
    assert probability(good, part) > 0.97 > probability(good, together)


def test_a_calibration_is_fitted_where_nothing_may_be_high() -> None:
    unproved = [
        replace(observation, support=replace(observation.support, adds_up=False))
        for observation in observations(20)
        if observation.support
    ]
    assert fit_calibration(unproved, 5).fields[Field.AMOUNT].high == 1.0


def right_ones(count: int, kind: str = "amount") -> list[Observation]:
    """Right values that fulfil the conditions of `high`."""
    sure = Support(models_agree=True, adds_up=True, extractor=0.95, verifier=0.95)
    return [Observation(f"{kind}{n}", f"{kind}{n}", kind, sure, is_right=True) for n in range(count)]


# One in four of these is wrong, so no value is certain.
DOUBTFUL = [replace(each, is_right=n % 4 != 0) for n, each in enumerate(right_ones(40, "tax"))]


class TestTargetPrecisions:
    def test_each_has_a_threshold_that_its_own_count_proves(self) -> None:
        """400 right values prove 99 % of a field and of all, but not 99.5 % of all."""
        few, many = ({"amount": ladder(count)} for count in (400, 3200))
        assert [thresholds_at(few, target)["amount"] < NEVER for target in TargetPrecision] == [True, False, False]
        assert [thresholds_at(many, target)["amount"] < NEVER for target in TargetPrecision] == [True, True, True]

    def test_a_field_with_too_few_values_is_never_high_at_a_stricter_one(self) -> None:
        """Those of other fields prove the whole, and at the standard target its own share suffices."""
        values = {"amount": ladder(3200), "vendor": ladder(60), "row": ladder(60)}
        found = [thresholds_at(values, target) for target in TargetPrecision]
        assert [each["vendor"] < NEVER for each in found] == [True, False, False]
        assert [each["row"] < NEVER for each in found] == [True, False, False]

    def test_wrong_values_end_the_stricter_ones_first(self) -> None:
        values = {"amount": ladder(3200, wrong=range(3000, 3200, 20))}
        usual, higher, highest = (thresholds_at(values, target)["amount"] for target in TargetPrecision)
        assert usual <= higher <= highest < NEVER

    def test_every_value_is_judged_at_each_and_the_table_says_what_it_costs(self) -> None:
        observed = [*right_ones(900), *DOUBTFUL]
        judged = cross_validate_targets(observed, 5)
        assert {target: len(found) for target, found in judged.items()} == dict.fromkeys(TargetPrecision, 940)
        rows = target_grid(judged, fit_calibration(observed, 5)).rows
        assert [row[0] for row in rows] == ["0.99", "0.995", "0.999"]
        assert [row[1].split()[0] for row in rows] == ["100.0%", "100.0%", "-"]
        assert rows[2][2] == "0.0% (0/940)"
        assert ["amount" in row[5].split(", ") for row in rows] == [False, False, True]
