"""`python -m benchmarks.lora`: what `invoices models lora` teaches a vision model, and what that makes it forget.

A base learns to read receipts of many layouts. Then it learns corrected receipts of a layout that is new to it, alone
and beside as many receipts of known layouts: by the command, and with all its weights for comparison. F1 of values is
measured on other receipts of both. Each seed draws other receipts and starts adapters from other weights. What is
finished is kept in `--out`, and a second call goes on there.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

import torch

from benchmarks.lora.base import make, teach_language, teach_letters
from benchmarks.lora.measure import score, write_conversations
from benchmarks.lora.pages import Draw, Receipt, taught, untaught
from benchmarks.lora.tuning import Mixture, Tuned, tune

_HEAD = "corrections | known receipts | learns | seconds of CPU | F1, new layout | F1, known layouts"


def main() -> None:
    """Make the base, tune it, and print a row for each mixture of receipts."""
    arguments = _arguments()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    base = _base(arguments.out / "base", arguments.steps)
    mixtures = [*_mixtures(arguments.corrections, arguments.full)]
    seeds = [[_row(arguments, base, mixture, seed) for mixture in mixtures] for seed in arguments.seeds]
    print(_HEAD)
    for mixture, *rows in zip(mixtures, *seeds, strict=True):
        columns = [_summary(column) for column in zip(*rows, strict=True)]
        print(" | ".join([str(mixture.corrected), str(mixture.known), mixture.learns, *columns]))


def _mixtures(corrections: Sequence[int], full: Sequence[int]) -> Iterator[Mixture]:
    yield Mixture(0, 0, "nothing")
    yield from (Mixture(count, known, "adapter") for count in corrections for known in (0, count))
    yield from (Mixture(count, known, "all weights") for count in full for known in (0, count))


def _row(arguments: argparse.Namespace, base: Path, mixture: Mixture, seed: int) -> list[float]:
    """CPU seconds, F1 on the new layout, and F1 on known ones; read if they were measured before."""
    folder = arguments.out / f"{mixture.corrected}-{mixture.known}-{mixture.learns.replace(' ', '-')}-{seed}"
    kept = folder / "row.json"
    if not kept.is_file():
        folder.mkdir(exist_ok=True)
        kept.write_text(json.dumps(_measured(arguments, base, mixture, seed, folder)))
    row: list[float] = json.loads(kept.read_text())
    return row


def _measured(arguments: argparse.Namespace, base: Path, mixture: Mixture, seed: int, folder: Path) -> list[float]:
    tuned = Tuned(base, None, 0.0)
    if mixture.corrected:
        pages = folder / "pages"
        if not pages.exists():
            corrected = _drawn(untaught, f"corrected {seed}", mixture.corrected)
            write_conversations([*corrected, *_drawn(taught, f"known {seed}", mixture.known)], pages)
        rate = arguments.rate if mixture.learns == "adapter" else arguments.full_rate
        tuned = tune(base, pages, folder / "model", mixture, rate=rate, seed=seed)
    held_out = (_drawn(draw, f"held out {seed}", arguments.held_out) for draw in (untaught, taught))
    return [tuned.seconds, *(score(tuned.checkpoint, tuned.adapter, each) for each in held_out)]


def _summary(values: Sequence[float]) -> str:
    """The mean of some seeds, and their range."""
    form = "{:.0f}" if max(values) > 1 else "{:.3f}"
    return "{} ({} to {})".format(*(form.format(value) for value in (fmean(values), min(values), max(values))))


def _base(folder: Path, steps: int) -> Path:
    """The checkpoint of the base; trained if it is not there."""
    if (folder / "model.safetensors").is_file():
        return folder
    folder.mkdir(exist_ok=True)
    network, processor = make(0)
    said: Callable[[str], None] = partial(print, flush=True)
    teach_language(network, processor, folder, steps=steps, seed=0, report=said)
    teach_letters(network, processor, seed=0, report=said)
    print(f"base: {sum(each.numel() for each in network.parameters()):,} weights, {time.process_time():.0f} s of CPU")
    processor.save_pretrained(folder)
    network.save_pretrained(folder)
    return folder


def _drawn(draw: Draw, purpose: str, count: int) -> list[Receipt]:
    """The same receipts each time, and others for each purpose."""
    random = Random(f"{draw.__name__} {purpose}")  # noqa: S311 - receipts, not secrets
    return [draw(random) for _ in range(count)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lora", description=__doc__)
    parser.add_argument("--steps", type=int, default=750, help="of the base's language model (default: %(default)s)")
    parser.add_argument("--corrections", type=int, nargs="+", default=[10, 50, 200], help="pages of the new layout")
    parser.add_argument("--full", type=int, nargs="*", default=[50], help="the same for training all weights")
    parser.add_argument("--held-out", type=int, default=50, help="receipts of each kind that F1 is measured on")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate of LoRA (default: %(default)s)")
    parser.add_argument("--full-rate", type=float, default=5e-4, help="of all weights (default: %(default)s)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="of receipts and adapters")
    parser.add_argument("--out", type=Path, default=Path("build/lora"), help="where models and pages are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
