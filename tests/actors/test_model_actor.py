"""Actors of models divide a GPU as Ray does, and those that share a process have a model each."""

import asyncio
import gc
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from actors import model_actor
from actors.extractor import Extractor
from actors.model_actor import ModelActor, has_gpu, share_of_gpu
from actors.verifier import Verifier
from serve_app.documents.packing import pack
from serve_app.settings import Settings
from tests.actors.test_model_host import document, load


@pytest.mark.parametrize(("given", "share"), [({"GPU": 0.5, "CPU": 1}, 0.5), ({"GPU": 2}, 1.0), ({"CPU": 1}, 1.0)])
def test_a_replica_takes_the_share_that_ray_gave_it(
    given: dict[str, float], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = SimpleNamespace(get_assigned_resources=lambda: given)
    monkeypatch.setattr("ray.get_runtime_context", lambda: context)
    assert share_of_gpu() == share
    assert has_gpu() is ("GPU" in given)


@pytest.fixture
async def actors(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[ModelActor]]:
    monkeypatch.setattr("ray.get_runtime_context", lambda: SimpleNamespace(get_assigned_resources=dict))
    replica = SimpleNamespace(_deployment_config=SimpleNamespace(max_ongoing_requests=64))
    monkeypatch.setattr("ray.serve.get_replica_context", lambda: replica)
    monkeypatch.setattr(model_actor, "load_hosted_model", lambda user_config, **_: load(user_config))
    monkeypatch.setattr(model_actor, "start_telemetry", lambda *_: None)
    made: list[ModelActor] = []
    deployments: tuple[Any, ...] = (Extractor, Verifier)
    for deployment in deployments:
        made.append(deployment.func_or_class(Settings(), name=deployment.name))
        await made[-1].reconfigure({"revision": deployment.name})
    yield made
    made.clear()
    # Ray's queue makes an event loop, and never closes it, if it is collected while none runs.
    gc.collect()


async def test_actors_in_one_process_each_read_with_their_own_model(actors: list[ModelActor]) -> None:
    readings = await asyncio.gather(*(actor.read(pack(document(3))) for actor in actors * 2))
    assert [reading.revision for reading in readings] == ["Extractor", "Verifier"] * 2
