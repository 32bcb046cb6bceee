"""`invoices models canary` and `invoices models diff`: pairs of models that are tried beside the first one."""

from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.pins import Config
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.domain.canary import Canary
    from serve_app.domain.sequential_test import Evidence
    from serve_app.services.candidates.service import CandidateService, Differences

T = TypeVar("T")

canary_app = typer.Typer(help="Let another model pair answer some documents.", no_args_is_help=True)
PairArgument = Annotated[str, typer.Argument(metavar="PAIR", help="Its name in args.pairs of the configuration.")]
Percent = Annotated[float | None, typer.Option("--share", min=0.01, max=100, help="Percent of the documents.")]


@canary_app.command()
def start(
    pair: PairArgument,
    share: Percent = 1.0,
    account: Annotated[list[UUID] | None, typer.Option(help="Only this account; can be repeated.")] = None,
    auto: Annotated[
        bool, typer.Option("--auto", help="Continue to the next step automatically on enough evidence.")
    ] = False,
    config: Config = None,
) -> None:
    """Let PAIR answer a share of the documents. The service rolls it back if it is worse."""
    from serve_app.commands.local_graph import DEFAULT_CONFIG, pairs_of, read_graph

    further = pairs_of(read_graph(config or DEFAULT_CONFIG))
    if pair not in further:
        named = ", ".join(further) or "none"
        raise CommandError(f"no pair of models {pair!r} is served beside the first one; there is {named} (--config)")

    accounts = frozenset(account) if account else None
    part = (share or 1.0) / 100
    _print(_run(lambda service: service.start(pair, command_line_actor(), part, accounts, steps_itself=auto)))


@canary_app.command()
def step(share: Percent = None) -> None:
    """Go on to the next step (1, 10, 50, 100 percent), or to --share."""
    part = None if share is None else share / 100
    _print(_run(lambda service: service.step(command_line_actor(), part)))


@canary_app.command()
def stop() -> None:
    """Let the first pair answer all documents again. After a rollback, this also ends the alarm."""
    _print(_run(lambda service: service.stop(command_line_actor())))


@canary_app.command()
def status(earlier: Annotated[int, typer.Option(min=0, help="Number of earlier canaries to list.")] = 0) -> None:
    """Show the canary and the evidence for and against it. Exits with 1 if it was rolled back."""
    found = _run(lambda service: _status(service, earlier + 1))
    for number, (canary, evidence) in enumerate(found):
        for line in _lines(canary, evidence if number == 0 else None):
            say(line)
    if not found:
        say("canary   none yet")
    elif found[0][0].state == "rolled_back":
        raise typer.Exit(1)


def diff(
    pair: PairArgument, examples: Annotated[int, typer.Option(min=0, max=500, help="How many to print.")] = 10
) -> None:
    """Show the differences between PAIR and the first pair in documents that both read in the last 30 days."""
    for line in _differences(_run(lambda service: service.differences(pair, examples))):
        say(line)


async def _status(service: "CandidateService", limit: int) -> "list[tuple[Canary, Evidence]]":
    return [(canary, await service.evidence(canary)) for canary in await service.newest(limit)]


def _run(work: "Callable[[CandidateService], Awaitable[T]]") -> T:
    from serve_app.domain.errors import InvalidParameter
    from serve_app.wiring.candidates import build_candidate_service

    try:
        return run_on_store(checked_settings(), lambda store: work(build_candidate_service(store)))
    except InvalidParameter as error:
        raise CommandError(error.message) from error


def _print(canary: "Canary") -> None:
    for line in _lines(canary, None):
        say(line)


def _lines(canary: "Canary", evidence: "Evidence | None") -> "Iterator[str]":
    from serve_app.domain.sequential_test import ALARM, ENOUGH

    since = f"since {canary.started_at:%Y-%m-%d %H:%M:%S} UTC"
    only = "" if canary.accounts is None else f" of {len(canary.accounts)} accounts"
    state = canary.state.replace("_", " ")
    yield f"canary   {canary.pair}: {state}, {canary.share:.0%} of the documents{only}, {since}"
    if canary.reason:
        yield f"reason   {canary.reason}"
    if evidence is None:
        return
    yield f"seen     {evidence.answered} answered by it, {evidence.documents} read by both pairs"
    yield f"for it   {evidence.enough:.1f} ({ENOUGH:.0f} is enough for a step)"
    for measure, found in evidence.against.items():
        yield f"against  {measure}: {canary.evidence.get(measure, found):.1f} ({ALARM:.0f} rolls it back)"


def _differences(found: "Differences") -> "Iterator[str]":
    if found.since is None:
        yield f"{found.candidate}: nothing was read by both pairs in the last 30 days"
        return
    yield f"{found.candidate}: {found.compared} invoices read by both pairs since {found.since:%Y-%m-%d %H:%M} UTC"
    for field, changed in found.changed.items():
        right = ", ".join(f"{who} right {number}" for who, number in changed.right.items())
        yield f"  {field}: {changed.times} differ ({changed.times / found.compared:.1%}){'; ' + right if right else ''}"
    for example in found.examples:
        yield f"{example.invoice_id}  account {example.account_id}  {example.at:%Y-%m-%d %H:%M}"
        for each in example.differences:
            row = f"  ({each.right} right)" if each.right else ""
            yield f"    {each.field}: first {each.first or '-'} | {found.candidate} {each.candidate or '-'}{row}"
