"""`invoices models sizes MODEL`: what a body of another size would bring.

Bodies no larger than the bundled one are trained from the start on the same documents, and differ in one thing each: in
layers, in width, in the length of their window, or in what they learned before. A run is kept in a folder, and is not
repeated when it is complete.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from transformers import PreTrainedModel

from models.pieces import WordPieces
from models.token_inputs import TokenInputs
from models.training.bases import multilingual_e5
from models.training.examples import TrainingBatches
from models.training.generator import generate_training
from models.training.masked_words import Masking, pretrain
from models.training.mixture import Mixture, RealShare
from models.training.optimiser import freeze_words
from models.training.plan import PLANS, TrainingPlan
from models.training.run import CPU_TOKENS, Options, TrainingRun
from models.training.start import Body

# Seeds of documents that no training has seen.
MASKED_SEED = 500_000_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A body; `masked`: it first learns to tell masked words of as many other documents as it is trained on."""

    name: str
    body: Body
    masked: bool = False


_SMALL = Body(layers=(0, 2, 4))
TRIALS = (
    Trial("three layers", _SMALL),
    Trial("six layers", Body()),
    Trial("three layers, window of 254", replace(_SMALL, positions=256)),
    Trial("three layers, masked words first", _SMALL, masked=True),
    Trial("three layers, not pre-trained", replace(_SMALL, pretrained=False)),
    Trial("three layers of half the width, not pre-trained", replace(_SMALL, width=192, pretrained=False)),
    Trial("the first six layers of multilingual E5", Body(multilingual_e5)),
    Trial("all twelve layers of multilingual E5", Body(multilingual_e5, layers=tuple(range(12)))),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What a training came to: F1 on families never trained on, seconds it took, millions of weights in the body."""

    f1: float
    seconds: float
    millions: float


def main() -> None:
    """Train whatever is not trained yet, and print what each came to."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    plan: TrainingPlan = PLANS[arguments.model]
    table = Table(title=f"{plan.name}, {arguments.documents:,} documents each")
    for column in ("body", "weights without words, millions", "hours", "F1, families never trained on"):
        table.add_column(column)
    options = Options(arguments.documents, real=tuple(arguments.real))
    for trial in TRIALS if arguments.only is None else [TRIALS[number] for number in arguments.only]:
        result = train(plan, trial, options, arguments.runs / plan.name)
        table.add_row(trial.name, f"{result.millions:.1f}", f"{result.seconds / 3600:.2f}", f"{result.f1:.3f}")
    Console().print(table)


def train(plan: TrainingPlan, trial: Trial, options: Options, runs: Path) -> Result:
    """Train in a folder of `runs` what is left of the documents."""
    folder = runs / trial.name.replace(",", "").replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    report = partial(_report, folder.name)
    network = partial(_started, plan=plan, trial=trial, options=options, report=report)
    run = TrainingRun(replace(plan, body=trial.body, network=network), folder, options, report)
    scores = run.complete()
    weights = sum(each.numel() for each in run.model.parameters() if each.requires_grad)
    return Result(scores["f1"], run.seconds, weights / 1e6)


def _started(
    folder: Path, body: Body, *, plan: TrainingPlan, trial: Trial, options: Options, report: Callable[[str], None]
) -> PreTrainedModel:
    """The network that a training begins with; what it learned of masked words is kept in `folder`."""
    model = plan.network(folder, body)
    if not trial.masked:
        return model
    kept = folder / "masked_words.pt"
    if kept.exists():
        model.load_state_dict(torch.load(kept, weights_only=True))
        return model
    freeze_words(model)
    pieces = WordPieces(folder)
    batches = TrainingBatches(
        Mixture(partial(generate_training, profile=plan.profile), options.real),
        TokenInputs(plan.encoder(pieces), model.config.model_type, uses_boxes=plan.uses_boxes),
        token_budget=CPU_TOKENS,
        first_seed=MASKED_SEED,
    )
    loss = pretrain(model, batches, Masking.of(pieces, model.config.vocab_size), options.documents, report)
    report(f"masked words: loss {loss:.2f} after {options.documents:,} documents")
    torch.save(model.state_dict(), kept)
    return model


def _report(name: str, message: str) -> None:
    Console(stderr=True).print(f"{name}: {message}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models sizes", description=__doc__)
    add = parser.add_argument
    add("model", choices=list(PLANS))
    add("--documents", type=int, default=1_500, help="in each training (default: %(default)s)")
    real = "a folder of real documents and their share in training; repeatable"
    add("--real", type=RealShare.parse, action="append", default=[], metavar="DIR[:SHARE]", help=real)
    add("--only", type=int, nargs="*", metavar="NUMBER", help="only these of the trainings, from 0 on")
    add("--runs", type=Path, default=Path("runs/bodies"), help="checkpoints and logs (default: %(default)s)")
    add("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
