"""A server with OpenAI's chat protocol over a vision language model of transformers: one question at a time."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForImageTextToText

from models.pretrained import load_processor, load_weights
from models.training.conversations import as_template


class VisionModel:
    """A checkpoint that writes about pictures and texts, with an adapter of LoRA if one is given."""

    def __init__(self, folder: Path, adapter: Path | None = None) -> None:
        self._processor: Any = load_processor(folder)
        self._model: Any = load_weights(AutoModelForImageTextToText, folder).train(False)
        if adapter is not None:
            self._model.load_adapter(str(adapter))
        self._one = threading.Lock()
        self.parameters = sum(parameter.numel() for parameter in self._model.parameters())

    def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The chat completion that a request's body asks for, with the probability of every token."""
        messages, pictures = as_template(body["messages"])
        text = self._processor.apply_chat_template(messages, add_generation_prompt=True)
        inputs = self._processor(text=[text], images=pictures or None, return_tensors="pt")
        most = int(body.get("max_tokens", 256))
        with self._one, torch.inference_mode():
            written = self._model.generate(
                **inputs, max_new_tokens=most, do_sample=False, output_scores=True, return_dict_in_generate=True
            )
        ids = written.sequences[0, inputs["input_ids"].shape[1] :].tolist()
        is_whole = ids[-1] == self._processor.tokenizer.eos_token_id
        kept = ids[:-1] if is_whole else ids
        tokens = [
            {
                "token": self._processor.tokenizer.decode([id_]),
                "logprob": float(torch.log_softmax(scores[0].float(), -1)[id_]),
            }
            for id_, scores in zip(kept, written.scores, strict=False)
        ]
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": "".join(token["token"] for token in tokens)},
            "finish_reason": "stop" if is_whole else "length",
            "logprobs": {"content": tokens},
        }
        return {"object": "chat.completion", "model": body["model"], "choices": [choice]}


@contextmanager
def chat_server(model: VisionModel, asked: list[dict[str, Any]] | None = None) -> Iterator[str]:
    """Serve the model on a free port of this machine; yields the address as a model's configuration has it. The bodies
    of requests are added to `asked`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if asked is not None:
                asked.append(body)
            answer = json.dumps(model.complete(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
