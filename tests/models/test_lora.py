"""A vision language model learns pages by an adapter beside its weights, and a server answers with both."""

import base64
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image, ImageDraw

from benchmarks.adapters.chat_server import VisionModel
from benchmarks.adapters.vision import Example, write_vision_model
from models.config import ModelError
from models.evaluation.formats.record import FormatError
from models.pretrained import load_processor
from models.registry.provenance import read_provenance
from models.training import lora
from models.training.conversations import read_conversations

ANSWER = '{"total": "88.40"}'


def picture(corner: int) -> bytes:
    sheet = Image.new("L", (120, 160), 255)
    ImageDraw.Draw(sheet).rectangle((corner, corner, corner + 40, corner + 40), fill=0)
    data = io.BytesIO()
    sheet.save(data, "PNG")
    return data.getvalue()


def question(data: bytes) -> list[dict[str, Any]]:
    url = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    content = [{"type": "image_url", "image_url": {"url": url}}]
    return [{"role": "system", "content": "Copy the total."}, {"role": "user", "content": content}]


def conversations(path: Path) -> Path:
    entry = {"messages": [*question(picture(60)), {"role": "assistant", "content": ANSWER}]}
    path.write_text(json.dumps(entry) + "\n")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has learnt another page by heart."""
    folder = tmp_path_factory.mktemp("llava")
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Copy the total."},
        {"role": "user", "content": [{"type": "image"}]},
    ]
    write_vision_model(folder, [Example(picture(10), messages, '{"total": "12.00"}')], most_steps=60)
    return folder


def test_only_the_answer_is_learnt(base: Path, tmp_path: Path) -> None:
    (one,) = read_conversations(conversations(tmp_path / "one.jsonl"))
    processor = load_processor(base)
    labels = lora.inputs_of(processor, one)["labels"][0]
    assert processor.tokenizer.decode(labels[labels >= 0]) == f"{ANSWER}{processor.tokenizer.eos_token}"
    assert not one.has_words


@pytest.mark.parametrize("content", ["", '{"messages": []}\n', '{"messages": [{"role": "user"}, {}]}\n'])
def test_a_file_without_conversations_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(content)
    with pytest.raises(FormatError, match="conversation"):
        read_conversations(tmp_path)


def test_without_peft_its_package_is_named(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(ModelError, match=r"setup\.sh lora"):
        lora.with_adapter(base, 4)


@pytest.mark.parametrize(("rank", "limit"), [(4, 8), (16, 16), (48, 64)])
def test_servers_are_started_with_a_limit_that_they_know(rank: int, limit: int) -> None:
    _, vllm, sglang, naming = lora.serving("acme/base", Path("/srv/ours"), rank)
    assert f"--max-lora-rank {limit} --lora-modules ours=/srv/ours" in vllm
    assert "--lora-paths ours=/srv/ours" in sglang
    assert "checkpoint: acme/base:ours" in naming


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")
def test_a_page_is_read_after_tuning_and_not_before(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, source = tmp_path / "ours", conversations(tmp_path / "one.jsonl")
    kept = conversations(tmp_path / "two.jsonl")
    arguments = ["lora", str(base), str(source), str(kept), "--out", str(out), "--epochs", "60"]
    arguments += ["--rate", "0.01", "--rank", "8"]
    monkeypatch.setattr(sys, "argv", arguments)
    lora.main()
    printed = capsys.readouterr().out
    assert f"vllm serve {base} --enable-lora --max-lora-rank 8 --lora-modules ours={out} --port 8001" in printed
    body = {"model": "ours", "messages": question(picture(60)), "max_tokens": 40}
    before, after = (VisionModel(base, adapter).complete(body)["choices"][0] for adapter in (None, out))
    assert before["message"]["content"] != ANSWER
    assert after["message"]["content"] == ANSWER
    assert all(token["logprob"] <= 0 for token in after["logprobs"]["content"])
    endpoint = yaml.safe_load((out / "model.yaml").read_text())["endpoint"]
    assert Path(endpoint["prompt"]).read_text() == "Copy the total.", "it is asked as it has learnt"
    known = read_provenance(out)
    assert (known.base, known.documents) == (str(base), 120)
    assert [line.partition(":")[0] for line in known.data or []] == ["one.jsonl", "two.jsonl"]
    assert known.metrics["last loss"] < known.metrics["first loss"]
    assert endpoint["sends"] == "pictures"
    # The layers of the picture's network stay as they are.
    assert not any("vision" in name for name in weights_of(out))


def weights_of(folder: Path) -> list[str]:
    from safetensors import safe_open

    with safe_open(folder / "adapter_model.safetensors", "pt") as file:
        return list(file.keys())
