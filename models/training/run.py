"""The training loop: resumable, seeded, the same on CPU and GPU."""

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader
from transformers import PreTrainedModel

from models.fused_attention import fuse_attention
from models.pieces import WordPieces
from models.token_model import TokenClassifier
from models.training.examples import Batch, TrainingBatches
from models.training.generator import generate_training, generate_validation
from models.training.optimiser import optimiser, relative_tables, set_rates
from models.training.plan import Plan
from models.training.start import write_tokenizer
from models.training.validation import Scores, validate

CHECKPOINT_SECONDS = 300
VALIDATION_SECONDS = 1200
REPORT_SECONDS = 30
VALIDATION_DOCUMENTS = 120
VOCABULARY_DOCUMENTS = 3000
CPU_TOKENS, GPU_TOKENS = 1024, 32768
# The tables of relative positions learn in every so many steps: their gradient costs a third of a step, and what they
# hold (rows, columns, distances) is settled early.
POSITIONS_EVERY = 4


class TrainingRun:
    """One model's training in `folder`, which keeps everything that is needed to go on: tokenizer, state, log."""

    def __init__(
        self, plan: Plan, folder: Path, *, documents: int, workers: int, report: Callable[[str], None]
    ) -> None:
        self.plan = plan
        self.folder = folder
        self.documents = documents
        self.report = report
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.workers = workers
        self._prepare_tokenizer()
        torch.manual_seed(plan.first_seed)
        self.pieces = WordPieces(folder)
        self.model: PreTrainedModel = fuse_attention(plan.start(folder))
        torch.nn.Module.to(self.model, self.device)
        self.optimiser = optimiser(self.model)
        self.seen, self.step, self.seconds = 0, 0, 0.0
        self.is_stopped = False
        self._resume()

    def train(self) -> Scores:
        """Train until `documents` were seen; return the last validation's scores."""
        loss_sum, loss_count = 0.0, 0
        saved = reported = validated = clock = time.monotonic()
        self.model.train()
        for batch, documents in self._loader():
            set_rates(self.optimiser, self.step, self.seen / self.documents)
            loss_sum, loss_count = loss_sum + self._learn(batch), loss_count + 1
            self.seen, self.step = self.seen + documents, self.step + 1
            now = time.monotonic()
            self.seconds, clock = self.seconds + now - clock, now
            if now - reported > REPORT_SECONDS:
                self._progress(loss_sum / loss_count)
                reported, loss_sum, loss_count = now, 0.0, 0
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            if now - validated > VALIDATION_SECONDS:
                self._validate()
                validated = clock = time.monotonic()
            if self.seen >= self.documents or self.is_stopped:
                break
        self.save()
        return self._validate()

    def stop(self) -> None:
        """End after the step at work, with the state saved."""
        self.is_stopped = True

    def classifier(self) -> TokenClassifier:
        """The model as it stands, ready to read documents."""
        return TokenClassifier(
            self.model,
            self.plan.encoder(self.pieces),
            revision="training",
            uses_boxes=self.plan.uses_boxes,
            token_budget=GPU_TOKENS if self.device.type == "cuda" else CPU_TOKENS,
        )

    def save(self) -> None:
        """Write the state beside the old one, then replace it: a crash leaves one whole state."""
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "seen": self.seen,
            "step": self.step,
            "seconds": self.seconds,
        }
        fresh = self.folder / "state.new"
        torch.save(state, fresh)
        fresh.replace(self.folder / "state.pt")

    def _resume(self) -> None:
        path = self.folder / "state.pt"
        if not path.exists():
            return
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.seen, self.step, self.seconds = state["seen"], state["step"], state["seconds"]
        self.report(f"{self.plan.name}: resumed after {self.seen:,} documents")

    def _prepare_tokenizer(self) -> None:
        """The vocabulary is cut once, by the words of this model's own documents."""
        if (self.folder / "tokenizer.json").exists():
            return
        samples = (generate_training(seed, self.plan.profile) for seed in range(VOCABULARY_DOCUMENTS))
        write_tokenizer(
            self.folder, (word.text for sample in samples for page in sample.document.pages for word in page.words)
        )

    def _loader(self) -> DataLoader[tuple[Batch, int]]:
        batches = TrainingBatches(
            partial(generate_training, profile=self.plan.profile),
            self.plan.encoder(self.pieces),
            uses_boxes=self.plan.uses_boxes,
            token_budget=GPU_TOKENS if self.device.type == "cuda" else CPU_TOKENS,
            first_seed=self.plan.first_seed + self.seen,
        )
        return DataLoader(batches, batch_size=None, num_workers=self.workers)

    def _learn(self, batch: Batch) -> float:
        for table in relative_tables(self.model):
            table.requires_grad_(self.step % POSITIONS_EVERY == 0)
        with self._autocast():
            loss = self.model(**{name: tensor.to(self.device) for name, tensor in batch.items()}).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return float(loss.detach())

    def _autocast(self) -> AbstractContextManager[Any]:
        return torch.autocast("cuda", torch.bfloat16) if self.device.type == "cuda" else nullcontext()

    def _progress(self, loss: float) -> None:
        rate = self.seen / self.seconds
        left = (self.documents - self.seen) / rate / 60
        self.report(
            f"{self.plan.name}: {self.seen:,} of {self.documents:,} documents, loss {loss:.3f}, "
            f"{rate:.1f} documents/s, {left:.0f} min left"
        )
        self._log(loss=loss)

    def _validate(self) -> Scores:
        samples = [generate_validation(seed, self.plan.profile) for seed in range(VALIDATION_DOCUMENTS)]
        scores = validate(self.classifier(), samples)
        self.model.train()
        by_label = ", ".join(f"{label} {score:.2f}" for label, score in scores.by_label.items())
        self.report(f"{self.plan.name}: F1 on held-out families {scores.overall:.3f} ({by_label})")
        self._log(f1=scores.overall, by_label=scores.by_label)
        return scores

    def _log(self, **values: object) -> None:
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps({"seen": self.seen, "seconds": round(self.seconds), **values}) + "\n")
