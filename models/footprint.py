"""Try a model, and measure what it takes: in a process of its own, as in a replica."""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import psutil
from pydantic import ValidationError

from models.loading import ModelConfig, load_model
from serve_app.domain.user_error import UserError


@dataclass(frozen=True, slots=True)
class Tried:
    """A model that was loaded and tested: its revision, or why it is refused; and how much memory its process took, in
    megabytes."""

    revision: str | None
    refused: str | None
    megabytes: int = 0


def tried(user_config: dict[str, Any]) -> Tried:
    """Load and test the model that a `user_config` describes."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return process.submit(_tried_here, user_config).result()
        except BrokenProcessPool:
            return Tried(None, "the process that loaded it died, perhaps because memory ran out")


def _tried_here(user_config: dict[str, Any]) -> Tried:
    try:
        model = load_model(ModelConfig.model_validate(user_config))
    except (ValidationError, UserError) as error:
        return Tried(None, " ".join(str(error).split()))
    return Tried(model.revision, None, psutil.Process().memory_info().rss // 10**6)
