"""`invoices models train`: train the bundled models on generated and real invoices."""

import argparse
import signal
import sys
from dataclasses import asdict
from pathlib import Path

import torch

from models.evaluation.tracking import tracked
from models.loading import WEIGHTS
from models.training.mixture import DEFAULT_SHARE, RealShare
from models.training.optimiser import WARM_UP_STEPS
from models.training.plan import PLANS
from models.training.real import RealDataError
from models.training.run import Options, TrainingRun
from serve_app.domain.user_error import UserError

FAST_DOCUMENTS = 128


def main() -> None:
    """Train, or continue training, the named models; export each when done."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    try:
        _train(arguments)
    except (UserError, RealDataError) as error:
        sys.exit(str(error))


def _train(arguments: argparse.Namespace) -> None:
    options = Options(
        documents=FAST_DOCUMENTS if arguments.fast else arguments.documents,
        minutes=arguments.minutes,
        is_last=arguments.last,
        workers=arguments.workers,
        start=arguments.start,
        rate=arguments.rate,
        warm_up=arguments.warm_up,
        dropout=arguments.dropout,
        echo=arguments.echo,
        validation_minutes=arguments.validate,
        real=tuple(arguments.real),
    )
    for name in arguments.models or list(PLANS):
        run = TrainingRun(PLANS[name], arguments.runs / name, options, _report)
        signal.signal(signal.SIGTERM, lambda *_, run=run: run.stop())
        if run.seen < options.documents and not arguments.export_only:
            with tracked(f"train-{name}", asdict(options)) as run.track:
                run.train()
        if arguments.export:
            revision = run.export(arguments.export / name)
            _report(f"{name}: exported as {revision} to {arguments.export / name}")
        if run.is_stopped:
            return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models train", description=main.__doc__)
    add = parser.add_argument
    add("models", nargs="*", choices=[*PLANS, []], help="which models (default: both)")
    add("--documents", type=int, default=20_000, help="total number of documents to train on (default: %(default)s)")
    add("--minutes", type=float, help="stop after this many minutes per model; the next call continues")
    last = "with --minutes: the rate falls to zero within them, as it does at the end of --documents"
    add("--last", action="store_true", help=last)
    add("--runs", type=Path, default=Path("runs"), help="checkpoints and logs (default: %(default)s)")
    add("--start", type=Path, metavar="DIR", help=f"continue from trained models, as in {WEIGHTS.name}/")
    real = f"a folder of real documents and their share in training (default: {DEFAULT_SHARE}); repeatable"
    add("--real", type=RealShare.parse, action="append", default=[], metavar="DIR[:SHARE]", help=real)
    add("--rate", type=float, default=1.0, help="factor of the learning rates (default: %(default)s)")
    warm_up = "steps in which the learning rates rise (default: %(default)s)"
    add("--warm-up", type=int, default=WARM_UP_STEPS, metavar="STEPS", help=warm_up)
    add("--dropout", type=float, default=0.0, help="dropout rate (default: %(default)s)")
    echo = "share of the batches that are learned twice, where making documents takes longer than learning them"
    add("--echo", type=float, default=0.0, metavar="SHARE", help=echo)
    validate = "time between two reports of F1 (default: %(default)s)"
    add("--validate", type=float, default=20.0, metavar="MINUTES", help=validate)
    add("--export", type=Path, metavar="DIR", help=f"write the averaged weights here, as in {WEIGHTS.name}/")
    add("--export-only", action="store_true", help="do not train, only write the weights")
    add("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    add("--workers", type=int, default=0, help="processes that generate documents (default: %(default)s)")
    add("--fast", action="store_true", help=f"a trial of {FAST_DOCUMENTS} documents")
    return parser.parse_args()


def _report(message: str) -> None:
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
