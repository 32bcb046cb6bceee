"""Models that generate the text of a picture (Donut: Kim et al., 2022); the text is then located on the page."""

from collections.abc import Sequence
from typing import Any

import torch
from transformers import AutoModelForImageTextToText, PreTrainedModel

from models.adapters.generated import GeneratedValue, parse_sequence
from models.adapters.locate import Locator
from models.config import ModelConfig, ModelError, RuntimeKind
from models.label_map import Targets
from models.network import NetworkFiles, load_network
from models.pictures import PagePixels
from models.pretrained import load_tokenizer
from models.spans import SpanScores
from serve_app.domain.document import Document, Page
from serve_app.domain.reading import Reading

_MOST_TOKENS = 1024


def image_to_sequence(checkpoint: NetworkFiles, config: ModelConfig) -> "SequenceReader":
    """Load a checkpoint's model; raise ModelError if it does not generate sequences from pictures."""
    check_kind(checkpoint)
    if not config.label_map:
        raise ModelError("image_to_sequence needs a label_map from the keys that the model writes to labels")
    if config.runtime not in (RuntimeKind.AUTO, RuntimeKind.TORCH):
        raise ModelError("image_to_sequence runs in torch only")
    model = load_network(AutoModelForImageTextToText, checkpoint, config)
    return SequenceReader(model, checkpoint, config)


def check_kind(checkpoint: NetworkFiles) -> None:
    """Raise ModelError if a checkpoint's model does not generate sequences from pictures."""
    kind = checkpoint.config.model_type
    if kind != "vision-encoder-decoder":
        raise ModelError(f"image_to_sequence is for vision-encoder-decoder models (Donut); this checkpoint is a {kind}")


class SequenceReader:
    """Lets the model generate text from the picture of every page, and locates it among the page's words."""

    needs_pictures = True

    def __init__(self, model: PreTrainedModel, checkpoint: NetworkFiles, config: ModelConfig) -> None:
        self.revision = checkpoint.revision
        self.sha256 = ""
        self._model: Any = model
        self._tokenizer = load_tokenizer(checkpoint.folder)
        self._pixels = PagePixels(checkpoint.folder)
        self._targets = Targets(config.label_map or {})
        self._prompt = self._prompt_ids(config.task_prompt)

    def _prompt_ids(self, prompt: str | None) -> torch.Tensor:
        if prompt is None:
            start = self._model.config.decoder_start_token_id or self._model.config.decoder.bos_token_id
            return torch.tensor([[int(start)]])
        ids = self._tokenizer(prompt, add_special_tokens=False)["input_ids"]
        if not ids or self._tokenizer.unk_token_id in ids:
            raise ModelError(f"the tokenizer does not know the task prompt {prompt}")
        return torch.tensor([ids])

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order. Raise ValueError for a page without a picture."""
        return [self._read_one(document) for document in documents]

    def _read_one(self, document: Document) -> Reading:
        spans = SpanScores(document)
        for index, page in enumerate(document.pages):
            if not page.words:
                continue
            locator = Locator(page)
            for value in self._values(page):
                label = self._targets.label(value.keys)
                if label is not None:
                    spans.add(index, locator.stated(label, value.text, value.probability))
        return spans.reading(self.revision, self.sha256)

    @torch.inference_mode()
    def _values(self, page: Page) -> list[GeneratedValue]:
        """The text that the model generates for the page."""
        device, dtype = self._model.device, self._model.dtype
        prompt = self._prompt.to(device)
        written = self._model.generate(
            pixel_values=torch.from_numpy(self._pixels(page)[None]).to(device, dtype),
            decoder_input_ids=prompt,
            max_length=self._most_tokens(),
            do_sample=False,
            num_beams=1,
            output_scores=True,
            return_dict_in_generate=True,
        )
        ids = written.sequences[0, prompt.shape[1] :].tolist()
        chances = [float(torch.softmax(row[0].float(), -1)[id]) for id, row in zip(ids, written.scores, strict=True)]
        return parse_sequence(self._tokenizer, ids, chances)

    def _most_tokens(self) -> int:
        decoder = self._model.config.decoder
        return min(int(getattr(decoder, "max_position_embeddings", _MOST_TOKENS)), _MOST_TOKENS)
