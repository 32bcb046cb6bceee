"""`python -m models.training`: train the bundled models on synthetic invoices."""

import argparse
import signal
import sys
from pathlib import Path

import torch

from models.registry import WEIGHTS
from models.training.export import export
from models.training.plan import PLANS
from models.training.run import TrainingRun

FAST_DOCUMENTS = 128


def main() -> None:
    """Train, or go on training, the named models; export each when done."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    documents = FAST_DOCUMENTS if arguments.fast else arguments.documents
    for name in arguments.models or list(PLANS):
        folder = arguments.runs / name
        run = TrainingRun(PLANS[name], folder, documents=documents, workers=arguments.workers, report=_report)
        signal.signal(signal.SIGTERM, lambda *_, run=run: run.stop())
        if run.seen < documents:
            run.train()
        if run.is_stopped:
            return
        if arguments.export:
            revision = export(run.model, folder, arguments.export / name, name)
            _report(f"{name}: exported as {revision} to {arguments.export / name}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.training", description=main.__doc__)
    parser.add_argument("models", nargs="*", choices=[*PLANS, []], help="which models (default: both)")
    parser.add_argument("--documents", type=int, default=20_000, help="documents to see in all (default: %(default)s)")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="checkpoints and logs (default: %(default)s)")
    parser.add_argument(
        "--export", type=Path, default=None, metavar="DIR", help=f"write weights here, as in {WEIGHTS.name}/"
    )
    parser.add_argument("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    parser.add_argument(
        "--workers", type=int, default=0, help="processes that generate documents (default: %(default)s)"
    )
    parser.add_argument("--fast", action="store_true", help=f"a trial of {FAST_DOCUMENTS} documents")
    return parser.parse_args()


def _report(message: str) -> None:
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
