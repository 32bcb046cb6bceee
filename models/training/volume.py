"""`invoices models volume MODEL --start DIR --real DIR`: what labelled documents add to generated ones.

The same weights are trained on as many documents again and again: generated ones alone, labelled ones alone, and both
together with a part of the issuers or all of them. A run is kept in a folder, and is not repeated when it is complete.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

from models.training.mixture import RealShare, of_part
from models.training.plan import PLANS, TrainingPlan
from models.training.real import read_real
from models.training.run import Options, TrainingRun

# As for the bundled weights: half the learning rate, because the models are trained already.
RATE, DROPOUT = 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Trial:
    """One training: the share of labelled documents in it, and the part (0 to 1) of their issuers."""

    name: str
    share: float
    issuers: float

    @property
    def folder(self) -> str:
        """The name of the folder that keeps it."""
        return self.name.replace("%", "").replace(" ", "-")


def trials(parts: Sequence[float], share: float) -> list[Trial]:
    """Generated documents alone, both with a part of the issuers each, and labelled documents alone."""
    mixed = [Trial(f"generated and {part:.0%} of the issuers", share, part) for part in sorted(parts)]
    return [Trial("generated alone", 0.0, 1.0), *mixed, Trial("labelled alone", 1.0, 1.0)]


def main() -> None:
    """Train whatever is not trained yet, and print the F1 of each training."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    plan: TrainingPlan = PLANS[arguments.model]
    table = Table(title=f"{plan.name}, {arguments.documents:,} documents each: F1")
    for column in ("trained on", "labelled documents", "families never trained on", "issuers never trained on"):
        table.add_column(column)
    documents = read_real(arguments.real, "train")
    for trial in trials(arguments.parts, arguments.share):
        real = RealShare(arguments.real, trial.share, trial.issuers)
        options = Options(arguments.documents, start=arguments.start, rate=RATE, dropout=DROPOUT, real=(real,))
        generated, labelled = train(plan, options, arguments.runs / plan.name / trial.folder)
        used = len(of_part(documents, trial.issuers)) if trial.share else 0
        table.add_row(trial.name, str(used), f"{generated:.3f}", f"{labelled:.3f}")
    Console().print(table)


def train(plan: TrainingPlan, options: Options, folder: Path) -> tuple[float, float]:
    """Train in `folder` what is left of the documents; return F1 on families, and on issuers of the labelled documents,
    that nothing was trained on."""
    run = TrainingRun(plan, folder, options, lambda message: Console(stderr=True).print(f"{folder.name}: {message}"))
    scores = run.complete()
    (real,) = options.real
    return scores["f1"], scores[f"f1 {real.folder.name}"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models volume", description=__doc__)
    add = parser.add_argument
    add("model", choices=list(PLANS))
    add("--start", type=Path, required=True, metavar="DIR", help="the trained models that every training begins with")
    add("--real", type=Path, required=True, metavar="DIR", help="labelled documents (docs/how-to/train-models.md)")
    add("--share", type=float, default=0.3, help="of labelled documents in the mixture (default: %(default)s)")
    add("--parts", type=float, nargs="*", default=[0.25, 0.5, 1.0], help="of the issuers (default: %(default)s)")
    add("--documents", type=int, default=1_200, help="in each training (default: %(default)s)")
    add("--runs", type=Path, default=Path("runs/volume"), help="checkpoints and logs (default: %(default)s)")
    add("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
