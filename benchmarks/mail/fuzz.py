"""Takes thousands of damaged mails apart: each ends in outcomes or a clear failure, soon, and harms only the child."""

import random
import resource
import time
from collections import Counter

import psutil

from benchmarks.fuzz.mutations import mutated
from serve_app.documents.isolation.mail_opener import WORKER
from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.mail.opened import OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import sniff
from serve_app.domain.errors import DocumentError
from serve_app.domain.inbound_mail import Outcome
from tests.support.mail_cases import CASES

LIMITS = Limits(page_seconds=20, max_seconds=40, max_memory_bytes=1024 * MIB)
MOST_SECONDS = 50.0
MOST_PARENT_BYTES = 500 * MIB


async def run(mails: int, seed: int) -> bool:
    chance = random.Random(seed)  # noqa: S311 - has to be repeatable
    seeds = [raw for raw in (case.make() for case in CASES) if raw]
    reader = IsolatedReader(ReadOptions(LIMITS), WORKER)
    outcomes: Counter[str] = Counter()
    longest = child_bytes = 0.0
    wrong = 0
    try:
        await reader.start()
        for _ in range(mails):
            raw = mutated(chance, chance.choice(seeds), chance.choice(seeds))
            started = time.monotonic()
            try:
                opened = await reader.open_mail(raw, OpenRules())
                outcomes.update(str(each.part.outcome) for each in opened.parts)
                wrong += any((each.part.outcome is Outcome.WAITING) != bool(each.data) for each in opened.parts)
                wrong += any(each.data and sniff(each.data) is None for each in opened.parts)
                wrong += not opened.parts or len({each.part.path for each in opened.parts}) < len(opened.parts)
            except DocumentError as error:
                outcomes[f"given up: {error.message}"] += 1
            longest = max(longest, time.monotonic() - started)
            child_bytes = max(child_bytes, _memory(reader.pid))
    finally:
        losses = dict(reader.losses)
        reader.close()
    parent = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{mails} damaged mails (seed {seed}): {dict(outcomes.most_common())}")
    print(f"children lost: {losses}; longest {longest:.1f} s; child at most {child_bytes / MIB:.0f} MiB of memory")
    print(f"parent at most {parent / MIB:.0f} MiB; answers that break a promise: {wrong}")
    return wrong == 0 and longest < MOST_SECONDS and parent < MOST_PARENT_BYTES


def _memory(pid: int | None) -> float:
    try:
        return float(psutil.Process(pid).memory_info().rss) if pid else 0.0
    except psutil.Error:
        return 0.0
