"""Measure the running service: how long documents take, one at a time and all at once.

Usage: benchmarks/service.py --key KEY [--url URL] [--documents N] [FILE]
"""

import argparse
import asyncio
import statistics
import time
from pathlib import Path

import httpx

SAMPLE = Path(__file__).parent.parent / "samples" / "invoice.pdf"


async def submit(client: httpx.AsyncClient, name: str, data: bytes) -> float:
    """Seconds until the finished invoice came back."""
    started = time.perf_counter()
    answer = await client.post("/v1/invoices", params={"wait": True}, files={"file": (name, data)})
    answer.raise_for_status()
    if answer.json()["status"] != "complete":
        raise SystemExit(f"not complete after {time.perf_counter() - started:.0f} s: {answer.json()['status']}")
    return time.perf_counter() - started


async def measure(url: str, key: str, file: Path, documents: int) -> None:
    data = await asyncio.to_thread(file.read_bytes)
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120) as client:
        alone = [await submit(client, file.name, data) for _ in range(documents)]
        started = time.perf_counter()
        together = await asyncio.gather(*(submit(client, file.name, data) for _ in range(documents)))
        elapsed = time.perf_counter() - started
    print(f"one at a time: median {statistics.median(alone):.2f} s, slowest {max(alone):.2f} s")
    print(f"{documents} at once: {documents / elapsed:.1f} documents/s, slowest {max(together):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE, metavar="FILE")
    parser.add_argument("--key", required=True, help="an API key")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    # Both rounds together must stay below the rate limit of 60 requests a minute.
    parser.add_argument("--documents", type=int, default=20)
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.url, arguments.key, arguments.file, arguments.documents))


if __name__ == "__main__":
    main()
