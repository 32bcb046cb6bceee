"""`invoices models lora CHECKPOINT CONVERSATIONS`: teach a vision language model your pages by low-rank adapters (LoRA;
Hu et al., 2021). The checkpoint stays as it is; a server loads the adapter beside it.
"""

import argparse
import importlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import torch
import yaml
from transformers import AutoModelForImageTextToText

from models.chat.question import PROMPT
from models.checkpoint import find_checkpoint
from models.config import Adapter, ModelConfig, ModelError
from models.evaluation.tracking import Track, tracked
from models.pretrained import load_processor, load_weights
from models.registry.provenance import Provenance, write_provenance
from models.training.conversations import Conversation, files_of, read_conversations
from models.training.provenance import commit
from models.training.tuning.files import CONFIG
from models.training.tuning.loop import TuningResult
from serve_app.domain.clock import utc_now
from serve_app.domain.user_error import UserError

RATE, RANK, EPOCHS = 1e-4, 16, 3
_ALPHA = 2
"""The adapter's weight, in ranks."""
LAYERS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
"""Of the language model, by the names that most architectures have."""
OTHERS = r".*(vision|visual).*"
"""Layers of the same names that stay as they are: servers load adapters of the language model only."""
_STEP = 4
"""Conversations between two changes of the weights."""
IGNORED = -100
_PORT = 8001
_SERVED_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""The limits of an adapter's rank that vLLM knows."""


def main() -> None:
    """Fine-tune, write the adapter with its `user_config`, and print how to serve it."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    try:
        conversations = [each for source in arguments.conversations for each in read_conversations(source)]
        base = _folder(arguments.checkpoint)
        torch.manual_seed(arguments.seed)
        network, processor = with_adapter(base, arguments.rank), load_processor(base)
        with tracked("lora", vars(arguments)) as track:
            result = learn(
                network,
                processor,
                conversations,
                epochs=arguments.epochs,
                rate=arguments.rate,
                seed=arguments.seed,
                report=_say,
                track=track,
            )
    except UserError as error:
        sys.exit(str(error))
    write(network, arguments.out, conversations[0], _provenance(arguments, result))
    losses = f"loss {result.first_loss:.3f} in the first epoch, {result.last_loss:.3f} in the last"
    _say(f"{result.documents:,} pages in {result.seconds:.0f} s, {losses}")
    for line in serving(arguments.checkpoint, arguments.out, arguments.rank):
        _say(line)


def with_adapter(base: Path, rank: int) -> Any:
    """The network of a checkpoint, of which only a new adapter learns. Raise ModelError if it has no layers of the
    usual names, or if peft is not installed."""
    network = load_weights(AutoModelForImageTextToText, base, dtype=torch.float32)
    try:
        peft = importlib.import_module("peft")
    except ImportError as error:
        raise ModelError("LoRA needs the package peft: scripts/setup.sh lora") from error
    settings = peft.LoraConfig(
        r=rank, lora_alpha=_ALPHA * rank, target_modules=LAYERS, exclude_modules=OTHERS, task_type="CAUSAL_LM"
    )
    try:
        return peft.get_peft_model(network, settings)
    except ValueError as error:
        raise ModelError(f"the model in {base} has no layers that LoRA knows: {error}") from error


def learn(
    network: Any,
    processor: Any,
    conversations: Sequence[Conversation],
    *,
    epochs: int,
    rate: float,
    seed: int = 0,
    report: Callable[[str], None],
    track: Track = lambda values, step: None,
) -> TuningResult:
    """Teach the answers, in an order by `seed`. AdamW, at a rate that falls to zero along half a cosine; the loss
    counts the tokens of answers, and its first and last values are the means of the first and the last epoch."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network.to(device).train()
    weights = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=rate)
    began, means, total = time.monotonic(), list[float](), epochs * len(conversations)
    for epoch in range(epochs):
        losses: list[float] = []
        for step in _steps(conversations, seed * 1_000_000 + epoch):
            part = (epoch * len(conversations) + len(losses)) / total
            for group in optimiser.param_groups:
                group["lr"] = rate * (1 + math.cos(math.pi * part)) / 2
            losses += [_add_gradient(network, inputs_of(processor, each), device, len(step)) for each in step]
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            optimiser.zero_grad()
        means.append(sum(losses) / len(losses))
        track({"loss": means[-1]}, (epoch + 1) * len(conversations))
        report(f"epoch {epoch + 1} of {epochs}: loss {means[-1]:.3f}")
    network.train(False)
    return TuningResult(total, time.monotonic() - began, means[0], means[-1])


def inputs_of(processor: Any, conversation: Conversation) -> dict[str, torch.Tensor]:
    """A conversation as the network takes it; only the tokens of the answer have labels."""
    asked = processor.apply_chat_template(conversation.messages, add_generation_prompt=True)
    whole = f"{asked}{conversation.answer}{processor.tokenizer.eos_token}"
    pictures = conversation.pictures or None
    batch = dict(processor(text=[whole], images=pictures, return_tensors="pt"))
    begin = processor(text=[asked], images=pictures, return_tensors="pt")["input_ids"].shape[1]
    batch["labels"] = batch["input_ids"].clone()
    batch["labels"][:, :begin] = IGNORED
    return batch


def write(network: Any, out: Path, conversation: Conversation, provenance: Provenance) -> None:
    """Write the adapter, where it comes from, and the `user_config` of a server on this machine."""
    network.save_pretrained(out)
    write_provenance(out, provenance)
    endpoint = {"url": f"http://127.0.0.1:{_PORT}/v1", "sends": "both" if conversation.has_words else "pictures"}
    if conversation.prompt != PROMPT.read_text(encoding="utf-8").strip():
        (out / PROMPT.name).write_text(conversation.prompt, encoding="utf-8")
        endpoint["prompt"] = str((out / PROMPT.name).absolute())
    config = {"adapter": Adapter.CHAT.value, "checkpoint": out.name, "endpoint": endpoint}
    (out / CONFIG).write_text(yaml.safe_dump(config, sort_keys=False))


def serving(checkpoint: str, out: Path, rank: int) -> Iterator[str]:
    """How to serve the adapter beside its base."""
    name, place = out.name, out.absolute()
    limit = next((each for each in _SERVED_RANKS if each >= rank), rank)
    yield f"written: {out / CONFIG}, its user_config. Serve it with one of"
    yield (
        f"  vllm serve {checkpoint} --enable-lora --max-lora-rank {limit} --lora-modules {name}={place} --port {_PORT}"
    )
    yield (
        f"  python -m sglang.launch_server --model-path {checkpoint} --enable-lora --lora-paths {name}={place}"
        f" --port {_PORT}"
    )
    yield f"For SGLang, write `checkpoint: {checkpoint}:{name}` there: it answers {name} alone without the adapter."


def _folder(checkpoint: str) -> Path:
    folder = Path(checkpoint)
    named = str(folder.absolute()) if folder.is_dir() else checkpoint
    return find_checkpoint(ModelConfig(adapter=Adapter.IMAGE_TO_SEQUENCE, checkpoint=named)).folder


def _steps(conversations: Sequence[Conversation], seed: int) -> Iterator[Sequence[Conversation]]:
    """All conversations in a new order, some at a time."""
    order = [*conversations]
    Random(seed).shuffle(order)
    return (order[start : start + _STEP] for start in range(0, len(order), _STEP))


def _add_gradient(network: Any, batch: dict[str, torch.Tensor], device: torch.device, count: int) -> float:
    loss = network(**{name: values.to(device) for name, values in batch.items()}).loss
    (loss / count).backward()
    return float(loss.detach())


def _provenance(arguments: argparse.Namespace, result: TuningResult) -> Provenance:
    files = [file for source in arguments.conversations for file in files_of(source)]
    return Provenance(
        trained_at=utc_now(),
        base=arguments.checkpoint,
        data=[f"{file.name}: sha256 {sha256(file.read_bytes()).hexdigest()}" for file in files],
        commit=commit(),
        hours=round(result.seconds / 3600, 2),
        documents=result.documents,
        metrics={"first loss": round(result.first_loss, 4), "last loss": round(result.last_loss, 4)},
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models lora", description=__doc__)
    add = parser.add_argument
    add("checkpoint", help="a vision language model: a folder, or a name on the hub")
    add(
        "conversations",
        type=Path,
        nargs="+",
        help="JSONL files or folders (`invoices data export chat`): new pages, and such as must not be forgotten",
    )
    add("--out", type=Path, required=True, metavar="DIR", help="where the adapter is written; its name is the model's")
    add("--epochs", type=int, default=EPOCHS, help="how often each page is learned (default: %(default)s)")
    add("--rank", type=int, default=RANK, help="of the adapter's matrices (default: %(default)s)")
    add("--rate", type=float, default=RATE, help="learning rate (default: %(default)s)")
    add(
        "--seed",
        type=int,
        default=0,
        help="of the adapter's first weights and the order of pages (default: %(default)s)",
    )
    add("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    return parser.parse_args()


def _say(message: str) -> None:
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
