"""Which task each kind of model is tuned on."""

from collections.abc import Callable

from models.adapters.layout_tokens import layout_inputs
from models.adapters.text_tokens import text_inputs
from models.config import Adapter, ModelConfig, ModelError
from models.network import NetworkFiles
from models.training.tuning.answers import AnswerTask
from models.training.tuning.sequences import SequenceTask
from models.training.tuning.task import TuningTask
from models.training.tuning.tokens import TokenTask

_TASKS: dict[Adapter, Callable[[NetworkFiles, ModelConfig], TuningTask]] = {
    Adapter.LAYOUT_TOKENS: lambda files, _: TokenTask(files, layout_inputs(files)),
    Adapter.TEXT_TOKENS: lambda files, _: TokenTask(files, text_inputs(files)),
    Adapter.QUESTION_ANSWERING: lambda files, config: AnswerTask(files, config.questions),
    Adapter.IMAGE_TO_SEQUENCE: lambda files, _: SequenceTask(files),
}


def open_task(files: NetworkFiles, config: ModelConfig) -> TuningTask:
    """The task for a checkpoint. Raise ModelError for one that its adapter would refuse, or that does not run
    here."""
    if config.adapter not in _TASKS:
        raise ModelError(f"a model for {config.adapter} is trained where it runs")
    return _TASKS[config.adapter](files, config)
