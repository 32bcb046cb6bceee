"""Load a model in a process of its own, as a replica does: an untrusted checkpoint may take any time and memory."""

import os
import resource
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import psutil

from models.config import ModelConfig, parse_model
from models.graph import GRAPH_FILE, has_only_graph
from models.loading import load_model, load_untested
from models.weight_files import check_weights
from serve_app.domain.user_error import UserError

SECONDS = 900.0
"""For loading and testing a model: minutes on a busy machine."""
_LEAST_MEMORY = 8 * 2**30
_MEMORY_OF_WEIGHTS = 8
"""A network is widened to float32, copied for its runtime, and run: some times the size of its file."""
_MOST_ANSWER_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Tried:
    """A model that was loaded: its revision and the hash of its identity, or why it is refused; and how much memory its
    process took, in megabytes."""

    revision: str | None
    refused: str | None
    megabytes: int = 0
    sha256: str = ""


def tried(user_config: dict[str, Any], seconds: float = SECONDS) -> Tried:
    """Load and test the model that a `user_config` describes."""
    return _in_process(_tested, user_config, seconds)


def loaded(config: ModelConfig, seconds: float = SECONDS) -> Tried:
    """Load the model in a folder on the CPU, once its files are found complete. It reads nothing: some kinds take
    minutes without a GPU."""
    here = {"checkpoint": str(Path(config.checkpoint).absolute()), "device": "cpu", "precision": "auto", "gate": None}
    return _in_process(_loaded, {**config.model_dump(mode="json"), **here}, seconds)


def _tested(user_config: dict[str, Any]) -> Tried:
    model = load_model(parse_model(user_config))
    return Tried(model.revision, None, psutil.Process().memory_info().rss // 10**6, model.sha256)


def _loaded(user_config: dict[str, Any]) -> Tried:
    config = parse_model(user_config)
    folder = Path(config.checkpoint)
    if not has_only_graph(folder):
        check_weights(folder)
    _limit_memory(folder)
    return Tried(load_untested(config).revision, None, psutil.Process().memory_info().rss // 10**6)


def _limit_memory(folder: Path) -> None:
    """What a configuration asks for must be in proportion to its weights."""
    weights = sum(file.stat().st_size for file in _weight_files(folder))
    limit = max(_LEAST_MEMORY, _MEMORY_OF_WEIGHTS * weights)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _weight_files(folder: Path) -> list[Path]:
    return [folder / GRAPH_FILE] if has_only_graph(folder) else list(folder.glob("*.safetensors"))


def _in_process(work: Callable[[dict[str, Any]], Tried], user_config: dict[str, Any], seconds: float) -> Tried:
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, work, user_config), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return Tried(None, f"loading it took longer than {seconds:g} seconds")
        return msgspec.json.decode(ours.recv_bytes(_MOST_ANSWER_BYTES), type=Tried)
    except (EOFError, OSError, msgspec.DecodeError):
        return Tried(None, "the process that loaded it died, perhaps because memory ran out")
    finally:
        process.kill()
        process.join()
        ours.close()


def _answer(channel: Connection, work: Callable[[dict[str, Any]], Tried], user_config: dict[str, Any]) -> None:
    _be_silent()
    try:
        answer = work(user_config)
    except (UserError, MemoryError) as error:
        answer = Tried(None, " ".join(str(error).split()) or "loading it needs too much memory")
    except Exception as error:
        answer = Tried(None, f"it cannot be loaded: {type(error).__name__}: {' '.join(str(error).split())}")
    channel.send_bytes(msgspec.json.encode(asdict(answer)))


def _be_silent() -> None:
    """Libraries print about weights; the answer says what matters."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
