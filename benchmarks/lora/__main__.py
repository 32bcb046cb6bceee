"""`python -m benchmarks.lora`: what `invoices models lora` teaches a vision model, and what that makes it forget.

A base learns to read receipts of many layouts. Then the command teaches it corrected receipts of a layout that is new
to it, alone and beside as many receipts of known layouts. F1 of values is measured on other receipts of both. What is
finished is kept in `--out`, and a second call goes on there.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import torch

from benchmarks.lora.base import make, teach_language, teach_letters
from benchmarks.lora.measure import score, write_conversations
from benchmarks.lora.pages import Draw, Receipt, taught, untaught

_PAGES_LEARNED = 800
"""By each adapter: fewer corrections are learned more often."""
_HEAD = "corrections | known receipts | seconds of CPU | F1, new layout | F1, known layouts"


def main() -> None:
    """Make the base, tune it, and print a row for each number of corrections."""
    arguments = _arguments()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    base = _base(arguments.out / "base", arguments.steps, arguments.seed)
    mixtures = [(0, 0), *((corrected, known) for corrected in arguments.corrections for known in (0, corrected))]
    print(_HEAD)
    for count, kept in mixtures:
        row = arguments.out / f"row-{count}-{kept}.txt"
        if not row.is_file():
            row.write_text(_measured(arguments, base, count, kept))
        print(row.read_text(), flush=True)


def _measured(arguments: argparse.Namespace, base: Path, count: int, kept: int) -> str:
    """A row: the base alone without corrections, else with the adapter that learned them."""
    adapter, seconds = _tuned(arguments, base, count, kept) if count else (None, 0.0)
    held_out = (_drawn(draw, f"{arguments.draw} held out", arguments.held_out) for draw in (untaught, taught))
    scores = [str(score(base, adapter, each)) for each in held_out]
    return " | ".join([str(count), str(kept), f"{seconds:.0f}", *scores])


def _base(folder: Path, steps: int, seed: int) -> Path:
    """The checkpoint of the base; trained if it is not there."""
    if (folder / "model.safetensors").is_file():
        return folder
    folder.mkdir(exist_ok=True)
    network, processor = make(seed)
    said = partial(print, flush=True)
    teach_language(network, processor, folder, steps=steps, seed=seed, report=said)
    teach_letters(network, processor, seed=seed, report=said)
    print(f"base: {sum(each.numel() for each in network.parameters()):,} weights, {time.process_time():.0f} s of CPU")
    processor.save_pretrained(folder)
    network.save_pretrained(folder)
    return folder


def _tuned(arguments: argparse.Namespace, base: Path, count: int, kept: int) -> tuple[Path, float]:
    """The adapter that the command makes of so many corrections, and the seconds of CPU that this took."""
    pages, out = (arguments.out / f"{name}-{count}-{kept}" for name in ("pages", "adapter"))
    if not pages.exists():
        corrected = _drawn(untaught, f"{arguments.draw} corrected", count)
        write_conversations([*corrected, *_drawn(taught, f"{arguments.draw} known", kept)], pages)
    command: Sequence[str | Path] = [Path(sys.executable).with_name("invoices"), "models", "lora", base, pages]
    options = ["--epochs", str(_PAGES_LEARNED // (count + kept)), "--rate", str(arguments.rate)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--out", out, *options], check=True)  # noqa: S603 - our own command
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _drawn(draw: Draw, purpose: str, count: int) -> list[Receipt]:
    """The same receipts each time, and others for each purpose."""
    random = Random(f"{draw.__name__} {purpose}")  # noqa: S311 - receipts, not secrets
    return [draw(random) for _ in range(count)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lora", description=__doc__)
    parser.add_argument("--steps", type=int, default=750, help="of the base's language model (default: %(default)s)")
    parser.add_argument("--corrections", type=int, nargs="+", default=[10, 50, 200], help="pages of the new layout")
    parser.add_argument("--held-out", type=int, default=50, help="receipts of each kind that F1 is measured on")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate of LoRA (default: %(default)s)")
    parser.add_argument("--draw", default="dev", help="any name: another one draws other receipts")
    parser.add_argument("--seed", type=int, default=0, help="of the base (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("build/lora"), help="where models and pages are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
