"""One file per kind of model, which turns its configuration into something that reads documents."""

from collections.abc import Callable

from models.adapters.image_to_sequence import image_to_sequence
from models.adapters.layout_tokens import layout_tokens
from models.adapters.question_answering import question_answering
from models.adapters.text_tokens import text_tokens
from models.config import Adapter, ModelConfig
from models.network import NetworkFiles
from models.token_model import TokenModel

# Each raises ModelError for a checkpoint that it does not support.
ADAPTERS: dict[Adapter, Callable[[NetworkFiles, ModelConfig], TokenModel]] = {
    Adapter.LAYOUT_TOKENS: layout_tokens,
    Adapter.TEXT_TOKENS: text_tokens,
    Adapter.QUESTION_ANSWERING: question_answering,
    Adapter.IMAGE_TO_SEQUENCE: image_to_sequence,
}
