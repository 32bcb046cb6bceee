"""Pre-training on masked words: a body learns to tell the words of invoices from what stands around them.

As BERT (Devlin et al., 2018): of 15 % of the tokens, which the network must tell, eight in ten are shown as a mask, one
as another token, and one as it is. Labels are not used, so pages without any will do.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import cross_entropy, linear
from transformers import PreTrainedModel

from models.pieces import WordPieces
from models.training.examples import IGNORED, Batch, TrainingBatches
from models.training.optimiser import BODY, WARM_UP_STEPS

SHARE, MASKED, OTHER = 0.15, 0.8, 0.1


@dataclass(frozen=True, slots=True)
class Masking:
    """What a mask is, which tokens are never masked (padding, start and end), and how many tokens there are."""

    mask: int
    spared: tuple[int, ...]
    vocabulary: int

    @classmethod
    def of(cls, pieces: WordPieces, vocabulary: int) -> "Masking":
        return cls(pieces.special("[MASK]"), (pieces.pad, pieces.start, pieces.end), vocabulary)

    def hide(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens as they are shown, and what is to be told of them (`IGNORED` where nothing is); both of the shape
        of `ids`."""
        spared = torch.isin(ids, torch.tensor(self.spared))
        asked = (torch.rand(ids.shape) < SHARE) & ~spared
        how = torch.rand(ids.shape)
        shown = torch.where(asked & (how < MASKED), self.mask, ids)
        others = torch.randint(self.vocabulary, ids.shape)
        shown = torch.where(asked & (how >= MASKED) & (how < MASKED + OTHER), others, shown)
        return shown, torch.where(asked, ids, IGNORED)


class _Head(nn.Module):
    """From what the body makes of a token to a score for every word of the vocabulary, by the words' own vectors."""

    def __init__(self, words: torch.Tensor) -> None:
        super().__init__()
        self.transform = nn.Sequential(
            nn.Linear(words.shape[1], words.shape[1]), nn.GELU(), nn.LayerNorm(words.shape[1])
        )
        self.bias = nn.Parameter(torch.zeros(len(words)))
        self._words = words.detach()

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = linear(self.transform(hidden), self._words, self.bias)
        return scores


def pretrain(
    model: PreTrainedModel, batches: TrainingBatches, masking: Masking, documents: int, report: Callable[[str], None]
) -> float:
    """Train the body of a token classifier on that many documents; return the loss (nats a word) of the last tenth."""
    head = _Head(model.get_parameter(f"{model.base_model_prefix}.embeddings.word_embeddings.weight"))
    weights = [each for each in [*model.base_model.parameters(), *head.parameters()] if each.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=BODY, weight_decay=0.01)
    seen, losses = 0, list[float]()
    model.train()
    for step, (batch, count) in enumerate(batches):
        for group in optimiser.param_groups:
            group["lr"] = BODY * min(1.0, (step + 1) / WARM_UP_STEPS)
        losses.append(_learn(model, head, batch, masking))
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        seen += count
        if step % 50 == 0:
            report(f"masked words: {seen:,} of {documents:,} documents, loss {losses[-1]:.2f}")
        if seen >= documents:
            break
    last = losses[-max(1, len(losses) // 10) :]
    return sum(last) / len(last)


def _learn(model: PreTrainedModel, head: _Head, batch: Batch, masking: Masking) -> float:
    shown, asked = masking.hide(batch["input_ids"])
    inputs = {name: tensor for name, tensor in batch.items() if name != "labels"} | {"input_ids": shown}
    hidden = model.base_model(**inputs).last_hidden_state
    is_asked = asked != IGNORED
    loss = cross_entropy(head(hidden[:, : asked.shape[1]][is_asked]), asked[is_asked])
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())
