"""What a verdict is about: a model's files and how they are used."""

from hashlib import sha256

from models.checkpoint import find_checkpoint
from models.config import WEIGHTS, Adapter, ModelConfig
from models.registry.content import update_with_files

# What does not change any answer, but the machine and the name.
_BESIDE = {"checkpoint", "device", "gate", "licence", "revision", "runtime", "token_budget", "fallback"}
_BESIDE_OF_ENDPOINT = {"url", "documents_go_to", "key_file", "seconds", "tries", "parallel"}


def digest_of(config: ModelConfig) -> str:
    """The SHA-256 of the checkpoint's files and of all settings that change its answers. For a model behind a server,
    whose files nobody sees, of its name and its prompt. Raises ModelError if there is no checkpoint."""
    whole = sha256(config.model_dump_json(exclude=_BESIDE | {"endpoint"}).encode())
    if config.adapter is Adapter.CHAT and config.endpoint is not None:
        from models.chat.question import read_prompt

        whole.update(config.checkpoint.encode())
        whole.update(config.endpoint.model_dump_json(exclude=_BESIDE_OF_ENDPOINT | {"prompt"}).encode())
        whole.update(read_prompt(config.endpoint).encode())
    else:
        update_with_files(whole, find_checkpoint(config, WEIGHTS).folder)
    return whole.hexdigest()
