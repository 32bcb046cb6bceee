"""What a model is, whatever it is called: its files and the settings that change its answers, as a hash."""

import json
from hashlib import sha256

from models.checkpoint import Checkpoint, find_checkpoint
from models.config import WEIGHTS, Adapter, ModelConfig, ModelError
from models.registry.content import update_with_files
from serve_app.domain.model_identity import ModelIdentity

# How a model's own classes, keys and questions become labels, and how it is asked. Number type, device and runtime
# change answers by roundings only, and a fallback is a model of its own.
_DECISIVE = {"adapter", "label_map", "questions", "task_prompt"}
_DECISIVE_OF_ENDPOINT = {"sends", "most_tokens"}


def identity_of(config: ModelConfig) -> ModelIdentity:
    """The model that a configuration without a `registry://` means. Nothing is loaded. Raises ModelError if there is no
    checkpoint, or no prompt."""
    if config.adapter is Adapter.CHAT:
        from models.chat.question import revision_of

        return ModelIdentity(revision_of(config), hash_of(config))
    checkpoint = find_checkpoint(config, WEIGHTS)
    return ModelIdentity(_revision(checkpoint), hash_of(config, checkpoint))


def hash_of(config: ModelConfig, checkpoint: Checkpoint | None = None) -> str:
    """The SHA-256 of the model's identity, in hexadecimal; `checkpoint` are its files, if they were found already. Of a
    model behind a server, whose files nobody sees, that of its name and the question. Raises ModelError as
    `identity_of` does."""
    settings = config.model_dump(mode="json", include=_DECISIVE, exclude_none=True)
    whole = sha256(json.dumps(settings, sort_keys=True).encode())
    if config.adapter is Adapter.CHAT:
        whole.update(_question(config))
    else:
        update_with_files(whole, (checkpoint or find_checkpoint(config, WEIGHTS)).folder)
    return whole.hexdigest()


def _question(config: ModelConfig) -> bytes:
    from models.chat.question import SCHEMA, endpoint_of, read_prompt

    endpoint = endpoint_of(config)
    sent = endpoint.model_dump(mode="json", include=_DECISIVE_OF_ENDPOINT)
    return json.dumps([config.checkpoint, sent, read_prompt(endpoint), SCHEMA], sort_keys=True).encode()


def _revision(checkpoint: Checkpoint) -> str:
    """What results call a checkpoint's model."""
    if checkpoint.revision:
        return checkpoint.revision
    file = checkpoint.folder / "config.json"
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return str(content.get("revision", checkpoint.folder.name))
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{file} cannot be read: {error}") from error
