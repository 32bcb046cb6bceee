"""Which lesson each kind of model gets."""

from collections.abc import Callable

from models.adapters.layout_tokens import layout_inputs
from models.adapters.text_tokens import text_inputs
from models.config import Adapter, ModelConfig, ModelError
from models.network import NetworkFiles
from models.training.tuning.answers import AnswerLesson
from models.training.tuning.lesson import Lesson
from models.training.tuning.sequences import SequenceLesson
from models.training.tuning.tokens import TokenLesson

_LESSONS: dict[Adapter, Callable[[NetworkFiles, ModelConfig], Lesson]] = {
    Adapter.LAYOUT_TOKENS: lambda files, _: TokenLesson(files, layout_inputs(files)),
    Adapter.TEXT_TOKENS: lambda files, _: TokenLesson(files, text_inputs(files)),
    Adapter.QUESTION_ANSWERING: lambda files, config: AnswerLesson(files, config.questions),
    Adapter.IMAGE_TO_SEQUENCE: lambda files, _: SequenceLesson(files),
}


def lesson_of(files: NetworkFiles, config: ModelConfig) -> Lesson:
    """The lesson for a checkpoint. Raise ModelError for one that its adapter would refuse, or that does not run
    here."""
    if config.adapter not in _LESSONS:
        raise ModelError(f"a model for {config.adapter} is trained where it runs")
    return _LESSONS[config.adapter](files, config)
