"""Pages a second of extractor and verifier through their deployments, as a share of what the bare models do in a loop.

Starts a Ray of its own with one replica of each model, and alternates: a round of the bare loop, a round through the
deployment, for each model alone and for both at the same time. At the end: the most memory that each replica took.
Usage: benchmarks/models.py [--rounds N] [--documents N] [--batch N] [--in-flight N]
"""

import argparse
import asyncio
import logging
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from serve_app.commands.local_graph import CPU_MODEL, DEFAULT_CONFIG, environment, local_options, read_graph

# Before anything loads Ray or torch: both sides shall have the same threads.
os.environ.update(environment())

import psutil

from actors.extractor import Extractor
from actors.handles import ModelHandle
from actors.verifier import Verifier
from models.loading import ModelConfig, load_model
from models.token_model import TokenModel
from serve_app.commands.local_cluster import local_ray
from serve_app.documents.packing import pack
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from serve_app.domain.packed import PackedPages
from serve_app.settings.reading import read_settings

SAMPLES = Path(__file__).parent.parent / "samples"
AIM = 0.9
NAMES = ("extractor", "verifier")
Models = Mapping[str, TokenModel]
Handles = Mapping[str, ModelHandle]


def documents(count: int) -> list[Document]:
    """The samples' documents, over and over."""
    files = [path for path in sorted(SAMPLES.iterdir()) if path.suffix in (".pdf", ".html")]
    read = [read_document(path.read_bytes()) for path in files]
    return [read[number % len(read)] for number in range(count)]


def bare_loop(model: TokenModel, batches: Sequence[Sequence[Document]]) -> None:
    for batch in batches:
        model.read(batch)


async def bare(models: Models, names: Sequence[str], batches: Sequence[Sequence[Document]]) -> None:
    """Each model in a thread of its own, as each replica is a process of its own."""
    await asyncio.gather(*(asyncio.to_thread(bare_loop, models[name], batches) for name in names))


async def served(handles: Handles, names: Sequence[str], every: Sequence[Document], in_flight: int) -> None:
    """All documents through the deployments, so many packets of pages at a time; both models read a packet at once."""
    gate = asyncio.Semaphore(in_flight)

    async def label(pages: PackedPages) -> None:
        async with gate:
            await asyncio.gather(*(handles[name].read((pages,)) for name in names))

    await asyncio.gather(*(label(pages) for document in every for pages in pack(document)))


async def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def compare(models: Models, handles: Handles, arguments: argparse.Namespace) -> None:
    every = documents(arguments.documents)
    pages = sum(len(document.pages) for document in every)
    batches = [every[start : start + arguments.batch] for start in range(0, len(every), arguments.batch)]
    # Both sides have everything loaded before the clock runs.
    await bare(models, NAMES, batches[:1])
    await served(handles, NAMES, batches[0], arguments.in_flight)
    print(f"{'':12}{'bare':>8}{'served':>8}  pages a second, and served / bare (aim {AIM:.0%})")
    for names in ((NAMES[0],), (NAMES[1],), NAMES):
        loops, services = [], []
        for _ in range(arguments.rounds):
            loops.append(await seconds(lambda names=names: bare(models, names, batches)))  # type: ignore[misc]
            services.append(await seconds(lambda names=names: served(handles, names, every, arguments.in_flight)))  # type: ignore[misc]
        ratio = statistics.median(one / other for one, other in zip(loops, services, strict=True))
        speeds = f"{pages / statistics.median(loops):8.2f}{pages / statistics.median(services):8.2f}"
        print(f"{'both' if len(names) > 1 else names[0]:12}{speeds}  {ratio:6.0%}", flush=True)


def replicas() -> Iterator[tuple[str, int]]:
    """Name and peak resident memory, in bytes, of the replicas that this process started."""
    for process in psutil.Process().children(recursive=True):
        try:
            title = " ".join(process.cmdline())
            status = Path(f"/proc/{process.pid}/status").read_text()
        except (psutil.Error, OSError):
            continue
        if "ServeReplica" in title:
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
            yield title.removeprefix("ray::").strip(), int(peak.split()[1]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=16, help="documents in a round")
    parser.add_argument("--batch", type=int, default=8, help="documents that the bare loop hands a model at a time")
    parser.add_argument("--in-flight", type=int, default=8, help="calls at a time through the deployments")
    arguments = parser.parse_args()
    options = local_options(read_graph(DEFAULT_CONFIG))
    configs = {name: ModelConfig(**{**options[name.title()]["user_config"], **CPU_MODEL}) for name in NAMES}
    models = {name: load_model(config) for name, config in configs.items()}
    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    with local_ray(2):
        from ray import serve

        serve.start(proxy_location="Disabled")
        handles = {}
        for name, deployment in zip(NAMES, (Extractor, Verifier), strict=True):
            chosen: Any = deployment
            bound = chosen.options(**options[name.title()]).bind(read_settings())
            handles[name] = ModelHandle(serve.run(bound, name=name, route_prefix=None))
        asyncio.run(compare(models, handles, arguments))
        for title, peak in replicas():
            print(f"{title:40} peak {peak / 2**20:.0f} MiB resident")
        serve.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
