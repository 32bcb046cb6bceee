"""The training loop: resumable, seeded, the same on CPU and GPU."""

import gc
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from transformers import PreTrainedModel

from models.evaluation.tracking import Track
from models.fused_attention import fuse_attention
from models.pieces import WordPieces
from models.registry.provenance import Provenance, read_provenance, write_provenance
from models.runtime_torch import TorchRuntime
from models.shape import shape_of
from models.token_inputs import TokenInputs
from models.token_model import TokenClassifier
from models.training.examples import MARKS, Batch, TrainingBatches, echoed
from models.training.export import export
from models.training.generator import generate_training, generate_validation
from models.training.inputs import base_of, check_inputs, data_of, inputs_of, note_inputs
from models.training.labelled import Labelled
from models.training.mixture import Mixture, RealShare
from models.training.optimiser import WARM_UP_STEPS, freeze_words, optimiser, relative_tables, set_rates
from models.training.plan import TrainingPlan
from models.training.provenance import commit, provenance_of
from models.training.real import read_real
from models.training.start import start_from
from models.training.validation import Scores, validate
from models.training.weights import TrainedWeights
from serve_app.domain.clock import utc_now
from serve_app.domain.user_error import UserError

CHECKPOINT_SECONDS = 300
REPORT_SECONDS = 30
VALIDATION_DOCUMENTS = 120
VOCABULARY_DOCUMENTS = 3000
CPU_TOKENS, GPU_TOKENS = 2048, 8192
# Examples are sorted by length within a pool, so that batches hold little padding: several batches of it are needed.
CPU_POOL, GPU_POOL = 64, 512
# The tables of relative positions are trained only every few steps: their gradient costs a third of a step, and what
# they learn (rows, columns, distances) settles early.
POSITIONS_EVERY = 4


@dataclass(frozen=True, slots=True)
class Options:
    """Training options. `documents` is the total number to see, `minutes` (if any) the time limit of this run, which
    `is_last` if training ends with it; `workers` the processes that make documents, without any it is this one; `start`
    a folder with a trained model to continue from, `rate` a factor of the learning rates, which rise for `warm_up`
    steps, `dropout` the dropout rate; `echo` the share (0 to 1) of batches that are learned twice; `real` the folders
    of real documents in the mixture; every so many `validation_minutes` the scores are reported."""

    documents: int
    minutes: float | None = None
    is_last: bool = False
    workers: int = 0
    start: Path | None = None
    rate: float = 1.0
    warm_up: int = WARM_UP_STEPS
    dropout: float = 0.0
    echo: float = 0.0
    validation_minutes: float = 20.0
    real: tuple[RealShare, ...] = field(default=())


class TrainingRun:
    """One model's training in `folder`, which keeps everything needed to resume: tokenizer, state, log."""

    def __init__(self, plan: TrainingPlan, folder: Path, options: Options, report: Callable[[str], None]) -> None:
        self.plan = plan
        self.folder = folder
        self.options = options
        self.report = report
        self.track: Track = lambda values, step: None
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.inputs = inputs_of(plan, options)
        self.is_begun = check_inputs(folder, self.inputs)
        self.generate = Mixture(partial(generate_training, profile=plan.profile), options.real)
        torch.manual_seed(plan.first_seed)
        self.model = self._start()
        note_inputs(folder, self.inputs)
        self.pieces = WordPieces(folder)
        self.weights = TrainedWeights(self.model, _dtype(self.device))
        self.optimiser = optimiser(self.weights.masters, options.rate)
        self.seen, self.step, self.seconds = 0, 0, 0.0
        self.trained_at: str | None = None
        self.commit = commit()
        self.is_stopped = False
        self._resume()

    def train(self) -> Scores:
        """Train until `documents` have been seen; return the last validation's scores."""
        self.commit = commit()
        documents, minutes = self.options.documents, self.options.minutes
        losses: list[torch.Tensor] = []
        begun = saved = reported = validated = clock = now = time.monotonic()
        end = begun + 60 * minutes if minutes else float("inf")
        self.model.train()
        for batch, count in echoed(self._loader(), self.options.echo):
            set_rates(self.optimiser, self.step, self._part_over(now - begun), self.options.warm_up)
            losses.append(self._learn(batch))
            self.seen, self.step = self.seen + count, self.step + 1
            now = time.monotonic()
            self.seconds, clock = self.seconds + now - clock, now
            if now - reported > REPORT_SECONDS:
                self._progress(float(torch.stack(losses).mean()))
                reported, losses = now, []
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            if now - validated > 60 * self.options.validation_minutes:
                self._validate()
                validated = clock = time.monotonic()
            if self.seen >= documents or now > end or self.is_stopped:
                break
        self.save()
        return self._validate()

    def complete(self) -> dict[str, float]:
        """Train on what is left of the documents; return the F1 of every validation set by its name in the log, as it
        was last."""
        if self.seen < self.options.documents:
            self.train()
        last: dict[str, object] = {}
        for line in (self.folder / "log.jsonl").read_text(encoding="utf-8").splitlines():
            last |= json.loads(line)
        return {name: value for name, value in last.items() if name.startswith("f1") and isinstance(value, float)}

    def export(self, target: Path) -> str:
        """Write the averaged weights to `target`; return the revision they got. Raises UserError if nothing was
        trained."""
        if self.seen == 0:
            raise UserError(f"{self.folder}: nothing was trained, so there is nothing to export")
        with self.weights.averaged() as model:
            revision = export(model, self.folder, target, self.plan.name)
        write_provenance(target, self._provenance())
        return revision

    def _provenance(self) -> Provenance:
        """By what the run was trained with, which its folder keeps."""
        start = self.options.start
        known = {
            "base": base_of(self.inputs),
            "licence": read_provenance(start / self.plan.name).licence if start else None,
            "commit": self.commit,
            "trained_at": datetime.fromisoformat(self.trained_at) if self.trained_at else None,
        }
        data = data_of(self.plan.profile, self.inputs["labelled documents"])
        return provenance_of(self.folder, data, self.seen, self.seconds).model_copy(update=known)

    def stop(self) -> None:
        """Stop after the current step, with the state saved."""
        self.is_stopped = True

    def classifier(self) -> TokenClassifier:
        """The current model, ready to read documents."""
        return TokenClassifier(
            TorchRuntime(self.model),
            shape_of(self.model.config),
            self.plan.encoder(self.pieces),
            revision="training",
            uses_boxes=self.plan.uses_boxes,
            token_budget=GPU_TOKENS if self.device.type == "cuda" else CPU_TOKENS,
        )

    def save(self) -> None:
        """Write the state next to the old one, then replace that: a crash leaves one complete state."""
        self.trained_at = utc_now().isoformat()
        state = {
            "trained_at": self.trained_at,
            "commit": self.commit,
            "weights": self.weights.state(),
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
        self.weights.restore(state["weights"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.seen, self.step, self.seconds = state["seen"], state["step"], state["seconds"]
        self.trained_at, self.commit = state["trained_at"], state["commit"]
        self.report(f"{self.plan.name}: resumed after {self.seen:,} documents")

    def _start(self) -> PreTrainedModel:
        """The initial network, on its device; also puts its tokenizer into the folder."""
        if self.options.start is not None:
            model = start_from(self.options.start / self.plan.name, self.folder)
        else:
            self._prepare_tokenizer()
            model = self.plan.network(self.folder, self.plan.body)
        freeze_words(model)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = self.options.dropout
        # The fused kernels' backward pass is slow on a CPU; LayoutLMv3's attention is replaced altogether.
        model.set_attn_implementation("eager")
        network: PreTrainedModel = fuse_attention(model)
        torch.nn.Module.to(network, self.device)
        return network

    def _prepare_tokenizer(self) -> None:
        """The vocabulary is cut once, by the words of this model's own documents."""
        if self.is_begun and (self.folder / "tokenizer.json").exists():
            return
        samples = (self.generate(seed) for seed in range(VOCABULARY_DOCUMENTS))
        self.plan.body.base.write_tokenizer(
            self.folder, (word.text for sample in samples for page in sample.document.pages for word in page.words)
        )

    def _loader(self) -> DataLoader[tuple[Batch, int]]:
        is_gpu = self.device.type == "cuda"
        batches = TrainingBatches(
            self.generate,
            TokenInputs(self.plan.encoder(self.pieces), self.model.config.model_type, uses_boxes=self.plan.uses_boxes),
            token_budget=GPU_TOKENS if is_gpu else CPU_TOKENS,
            first_seed=self.plan.first_seed + self.seen,
            window_size=shape_of(self.model.config).most_tokens - MARKS,
            pool=GPU_POOL if is_gpu else CPU_POOL,
        )
        # The labelled documents are millions of objects that stay. Collections that look at them again and again would
        # cost two fifths of the time that documents take to make.
        gc.freeze()
        return DataLoader(batches, batch_size=None, num_workers=self.options.workers)

    def _part_over(self, seconds: float) -> float:
        """The part of training (0 to 1) that is over, `seconds` after this run began."""
        over = self.seen / self.options.documents
        if self.options.is_last and self.options.minutes:
            return max(over, seconds / (60 * self.options.minutes))
        return over

    def _learn(self, batch: Batch) -> torch.Tensor:
        """One step; return the loss, still on the device: to fetch it would mean to wait for it."""
        for table in relative_tables(self.model):
            table.requires_grad_(self.step % POSITIONS_EVERY == 0)
        labels = batch["labels"].to(self.device)
        inputs = {name: tensor.to(self.device) for name, tensor in batch.items() if name != "labels"}
        logits = self.model(**inputs).logits.float()
        # A batch of only unknown words must not produce the mean of no losses.
        loss = cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum") / (labels >= 0).sum().clamp(min=1)
        loss.backward()  # type: ignore[no-untyped-call]
        self.weights.take_gradients()
        torch.nn.utils.clip_grad_norm_(self.weights.masters.values(), 1.0)
        self.optimiser.step()
        self.weights.publish()
        return loss.detach()

    def _progress(self, loss: float) -> None:
        rate = self.seen / self.seconds
        left = max(self.options.documents - self.seen, 0) / rate / 60
        self.report(
            f"{self.plan.name}: {self.seen:,} of {self.options.documents:,} documents, loss {loss:.3f}, "
            f"{rate:.1f} documents/s, {left:.0f} min left"
        )
        self._log(loss=loss)

    def _validate(self) -> Scores:
        """Scores on held-out layout families; those on held-out real documents are reported next to them."""
        self.report(f"{self.plan.name}: measuring on {VALIDATION_DOCUMENTS} held-out documents")
        self.model.train(False)
        with self.weights.averaged():
            generated = [generate_validation(seed, self.plan.profile) for seed in range(VALIDATION_DOCUMENTS)]
            scores = self._scored("held-out families", "f1", generated)
            for each in self.options.real:
                held_out = [document for document in read_real(each.folder) if document.split == "validation"]
                if held_out:
                    name = each.folder.name
                    self._scored(f"held-out issuers of {name}", f"f1 {name}", held_out[:VALIDATION_DOCUMENTS])
        self.model.train()
        return scores

    def _scored(self, what: str, key: str, documents: Sequence[Labelled]) -> Scores:
        scores = validate(self.classifier(), documents)
        by_label = ", ".join(f"{label} {score:.2f}" for label, score in scores.by_label.items())
        self.report(f"{self.plan.name}: F1 on {what} {scores.overall:.3f} ({by_label})")
        self._log(**{key: scores.overall, f"{key} by label": scores.by_label})
        return scores

    def _log(self, **values: object) -> None:
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps({"seen": self.seen, "seconds": round(self.seconds), **values}) + "\n")
        self.track(values, self.seen)


def _dtype(device: torch.device) -> torch.dtype:
    """Half precision if the machine multiplies faster in it: on GPUs, and on CPUs with instructions for it."""
    can = torch.cpu.get_capabilities()
    is_fast = device.type == "cuda" or can.get("amx_bf16", False) or can.get("avx512_bf16", False)
    return torch.bfloat16 if is_fast else torch.float32
