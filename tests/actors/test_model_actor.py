"""Replicas that Ray puts on one GPU divide its memory as Ray divides the GPU."""

from types import SimpleNamespace

import pytest

from actors.model_actor import has_gpu, share_of_gpu


@pytest.mark.parametrize(("given", "share"), [({"GPU": 0.5, "CPU": 1}, 0.5), ({"GPU": 2}, 1.0), ({"CPU": 1}, 1.0)])
def test_a_replica_takes_the_share_that_ray_gave_it(
    given: dict[str, float], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = SimpleNamespace(get_assigned_resources=lambda: given)
    monkeypatch.setattr("ray.get_runtime_context", lambda: context)
    assert share_of_gpu() == share
    assert has_gpu() is ("GPU" in given)
