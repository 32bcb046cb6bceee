"""How many machines a load needs."""

from dataclasses import replace
from pathlib import Path

import pytest

from serve_app.domain.load import PageKind
from serve_app.domain.user_error import UserError
from serve_app.services.capacity.plan import (
    BACKGROUND_CORES,
    OVERHEAD_SECONDS,
    RaisedLimit,
    Workload,
    core_seconds,
    pages_a_second,
    plan,
    price_of_work,
    raised_limits,
)
from serve_app.services.capacity.profile import PageSeconds, Profile, read_profile
from serve_app.services.capacity.queueing import chance_of_waiting, workers_for
from tests.support import NOON


def by_kind(text: float, scan: float, photo: float) -> dict[PageKind, float]:
    return {PageKind.TEXT: text, PageKind.SCAN: scan, PageKind.PHOTO: photo}


BUSY = PageSeconds(
    read=by_kind(0.03, 2.2, 2.7),
    extract=by_kind(0.3, 0.1, 0.1),
    verify=by_kind(0.2, 0.05, 0.05),
    reconcile=by_kind(0.15, 0.1, 0.1),
)
PROFILE = Profile(
    taken_at=NOON,
    machine="test",
    cores=2,
    gpu=None,
    read=by_kind(0.02, 2.0, 2.5),
    extract=by_kind(0.15, 0.06, 0.06),
    verify=by_kind(0.1, 0.04, 0.04),
    reconcile=by_kind(0.1, 0.1, 0.1),
    busy=BUSY,
    documents_a_second=100,
    bytes_a_document=200_000,
)
WORKLOAD = Workload(pages_a_day=10_000, scans=0.3, p95=60)


@pytest.mark.parametrize(
    # From tables of the Erlang C formula.
    ("workers", "load", "chance"),
    [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (5, 4.0, 0.5541), (10, 8.0, 0.4092)],
)
def test_the_chance_that_all_are_busy(workers: int, load: float, chance: float) -> None:
    assert chance_of_waiting(workers, load) == pytest.approx(chance, abs=0.0005)


def test_short_waits_need_more_workers() -> None:
    assert workers_for(rate=2, seconds=1, variation=1, wait=1000, tail=0.05) == 3
    assert workers_for(rate=2, seconds=1, variation=1, wait=1, tail=0.05) > 3
    assert workers_for(rate=2, seconds=1, variation=3, wait=1, tail=0.05) > workers_for(2, 1, 1, 1, 0.05)
    assert workers_for(rate=0.001, seconds=0.01, variation=1, wait=60, tail=0.05) == 1


def test_cores_are_the_sum_of_what_a_page_takes() -> None:
    assert core_seconds(PROFILE, 0.3) == pytest.approx(
        0.3 * (2.2 + 0.1 + 0.05 + 0.1) + 0.7 * (0.03 + 0.3 + 0.2 + 0.15) + OVERHEAD_SECONDS
    )
    found = plan(WORKLOAD, PROFILE)
    rate = 10_000 / 86_400 * 3
    assert found.busy_cores == pytest.approx(rate * core_seconds(PROFILE, 0.3) + BACKGROUND_CORES)
    assert pages_a_second(PROFILE, 0.3) == pytest.approx((2 - BACKGROUND_CORES) / core_seconds(PROFILE, 0.3))
    assert found.cores >= found.busy_cores
    assert found.gpus == 0
    assert found.gb_a_day == pytest.approx(2.0)


def test_twice_the_pages_need_about_twice_the_readers() -> None:
    few, many = [plan(replace(WORKLOAD, pages_a_day=pages), PROFILE) for pages in (1_000_000, 2_000_000)]
    assert many.replicas["Reader"] == pytest.approx(2 * few.replicas["Reader"], rel=0.1)


def test_the_first_limit_is_named() -> None:
    found = plan(WORKLOAD, PROFILE)
    assert found.first_limit.name == "cores"
    assert found.first_limit.full_at(10_000) == pytest.approx(pages_a_second(PROFILE, 0.3) * 86_400 / 3)
    slow = PROFILE.model_copy(update={"documents_a_second": 0.1})
    assert plan(WORKLOAD, slow).first_limit.name == "database"


def test_a_gpu_takes_the_models_off_the_cores() -> None:
    models = {"extract": by_kind(0.002, 0.002, 0.002), "verify": by_kind(0.001, 0.001, 0.001)}
    with_gpu = PROFILE.model_copy(update={"gpu": "H100", **models, "busy": BUSY.model_copy(update=models)})
    found = plan(WORKLOAD, with_gpu)
    assert (found.gpus, found.replicas["Extractor"]) == (1, 1)
    assert core_seconds(with_gpu, 0.3) == pytest.approx(core_seconds(PROFILE, 0.3) - 0.7 * 0.5 - 0.3 * 0.15)


def test_a_price_is_that_of_the_core_seconds() -> None:
    hours = 1000 * core_seconds(PROFILE, 0.3, 4) / 3600
    assert price_of_work(PROFILE, 0.3, 0.05, 4) == pytest.approx(0.05 * hours)
    assert price_of_work(PROFILE, 1, 0.05) > price_of_work(PROFILE, 0, 0.05)


def test_idle_cores_are_in_the_price_of_a_load() -> None:
    found = plan(WORKLOAD, PROFILE)
    assert found.price_of_cores(0.05) == pytest.approx(found.cores * 24 * 0.05 / 10)
    assert found.price_of_cores(0.05) > price_of_work(PROFILE, 0.3, 0.05)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(UserError, match=r"one page takes 2\.2 s"):
        plan(replace(WORKLOAD, p95=2), PROFILE)


def test_a_file_that_is_no_profile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    with pytest.raises(UserError, match=r"there is no machine profile .* --measure"):
        read_profile(path)
    path.write_text(PROFILE.model_dump_json())
    assert read_profile(path) == PROFILE
    path.write_text('{"cores": 2}')
    with pytest.raises(UserError, match="not a profile"):
        read_profile(path)


def test_what_the_configuration_does_not_allow_is_named_by_its_key() -> None:
    deployments = [
        {"name": "Reader", "autoscaling_config": {"min_replicas": 2, "max_replicas": 16}},
        {"name": "Ingress", "num_replicas": 1},
        {"name": "Verifier", "autoscaling_config": {"max_replicas": 4}},
        {"name": "Delivery"},
    ]
    graph = {"applications": [{"deployments": deployments}]}
    changes = raised_limits({"Reader": 40, "Ingress": 2, "Verifier": 4}, graph)
    assert changes == [RaisedLimit("Reader", "max_replicas", 16, 40), RaisedLimit("Ingress", "num_replicas", 1, 2)]
