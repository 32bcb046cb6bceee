"""One run: clients send to each machine while all of them are killed in turn; then the data is checked."""

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from uuid import UUID

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.audit import audit, table
from benchmarks.faults.clients import Client
from benchmarks.faults.cluster.kills import GCS, MACHINE, Kill, Kills
from benchmarks.faults.cluster.service import ClusterService
from benchmarks.faults.cluster.watch import Watch
from benchmarks.faults.documents import documents
from benchmarks.faults.ledger import Call, Ledger, Outcome
from benchmarks.faults.lines import Line, promise
from benchmarks.faults.mongo_contents import MongoContents, create_collections
from benchmarks.faults.settled import wait_until_settled
from serve_app.services.upkeep.verification import Verification
from serve_app.store.factory import open_files, open_store_check

DEADLINE_S = 1500.0
BACK_WITHIN_S = 30.0
"""How soon the other machines answer again after the head, or its control store, was killed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is made of; `pause_s` is a client's mean pause between two documents, `only` what is killed, if not
    everything."""

    documents: int
    clients: int
    seed: int
    pause_s: float
    only: Sequence[str] = ()


async def run_cluster(plan: Plan, folder: Path, mongodb: str) -> tuple[list[str], bool]:
    """The report, and whether every promise was kept. Raises NotReady, or TimeoutError if it does not end in time."""
    began, ledger = time.monotonic(), Ledger()
    create_collections(mongodb)
    service = ClusterService(folder, mongodb)
    async with asyncio.timeout(DEADLINE_S):
        try:
            accounts = await make_accounts(service.settings(), plan.clients)
            ready_s = await asyncio.to_thread(service.start)
            print(f"ready after {ready_s:.0f} s", flush=True)
            at = {account.id: service.machines[number % 3].name for number, account in enumerate(accounts)}
            clients = [
                Client(service.machines[number % 3].url, account, ledger, plan.seed, plan.pause_s)
                for number, account in enumerate(accounts)
            ]
            kills = await _send_and_kill(plan, service, clients, ledger)
            settled_s = await wait_until_settled(service)
        finally:
            await asyncio.to_thread(service.stop)
    lines = [*_effects(kills, ledger, at), *audit(ledger, MongoContents(mongodb)), *await _verified(service)]
    head = [
        f"### Cluster, seed {plan.seed}: {plan.documents} documents, {plan.clients} clients,"
        f" {time.monotonic() - began:.0f} s; ready after {ready_s:.0f} s, settled {settled_s:.0f} s after the last",
        "",
        *_table_of(kills, ledger, at),
        "",
    ]
    return [*head, *table(lines)], all(line.is_kept for line in lines)


async def _send_and_kill(plan: Plan, service: ClusterService, clients: list[Client], ledger: Ledger) -> list[Kill]:
    every = documents(plan.documents, plan.seed)
    Random(plan.seed).shuffle(every)  # noqa: S311 - variety, not secrecy
    watch = Watch(service.machines)
    kills = Kills(service, watch, ledger, plan.seed, plan.only)
    watch.start()
    sending = asyncio.gather(*(client.send_all(every[n :: len(clients)]) for n, client in enumerate(clients)))
    try:
        await asyncio.gather(sending, asyncio.to_thread(kills.fall, sending.done))
    finally:
        for client in clients:
            await client.close()
        await asyncio.to_thread(watch.stop)
    return kills.done


def _failed(kill: Kill, kills: list[Kill], ledger: Ledger) -> list[Call]:
    """Calls of clients that the service did not answer, or with 500 or more, and that ended after it and before the
    next blow."""
    end = min((other.at for other in kills if other.at > kill.at), default=math.inf)
    meanwhile = [call for call in ledger.calls if kill.at < call.began + call.seconds <= end]
    return [call for call in meanwhile if call.outcome in (Outcome.UNKNOWN, Outcome.UNCHANGED)]


def _elsewhere(kill: Kill, kills: list[Kill], ledger: Ledger, at: dict[UUID, str]) -> list[Call]:
    return [call for call in _failed(kill, kills, ledger) if at[call.account_id] in kill.others]


def _effects(kills: list[Kill], ledger: Ledger, at: dict[UUID, str]) -> list[Line]:
    workers = [kill for kill in kills if kill.what == MACHINE and kill.machine != "head"]
    of_head = [kill for kill in kills if kill.what == GCS or (kill.what, kill.machine) == (MACHINE, "head")]
    late = [f"{kill.name}: {kill.others_back_s:.1f} s" for kill in of_head if kill.others_back_s > BACK_WITHIN_S]
    refused = [f"{kill.name}: {kill.lost_elsewhere} looks" for kill in workers if kill.lost_elsewhere]
    refused += [
        f"{kill.name}: {call.status or 'no answer'}" for kill in workers for call in _elsewhere(kill, kills, ledger, at)
    ]
    return [
        promise("the others without HTTP for over 30 s after a kill of the head or the GCS", late),
        promise("calls to other machines that failed when a worker was killed", refused),
        promise("kills after which not all machines answered again", [b.name for b in kills if not b.is_calm]),
    ]


def _table_of(kills: list[Kill], ledger: Ledger, at: dict[UUID, str]) -> list[str]:
    titles = (
        "| killed | documents in work | s until it answers, until the others do | unanswered looks: there, elsewhere |"
    )
    rows = [_row(kill, kills, ledger, at) for kill in kills]
    return [f"{titles} failed calls: all, elsewhere |", "|---|---|---|---|---|", *rows]


def _row(kill: Kill, kills: list[Kill], ledger: Ledger, at: dict[UUID, str]) -> str:
    looks = f"{kill.lost[kill.machine]}, {kill.lost_elsewhere} of {kill.looks}"
    calls = f"{len(_failed(kill, kills, ledger))}, {len(_elsewhere(kill, kills, ledger, at))}"
    return (
        f"| {kill.name} | {ledger.hit[kill.name]} | {kill.back_s:.1f}, {kill.others_back_s:.1f} | {looks} | {calls} |"
    )


async def _verified(service: ClusterService) -> list[Line]:
    """What `invoices verify` says."""
    check, files = open_store_check(service.settings()), open_files(service.settings())
    try:
        verification = Verification(check, files)
        accounts = await verification.all_accounts()
        found = [f"{stray.what}" async for stray in verification.strays(accounts)]
        for account in accounts:
            found += [each.what for each in await verification.of_account(account)]
    finally:
        await check.close()
        await files.close()
    return [promise("differences that `invoices verify` names", found)]
