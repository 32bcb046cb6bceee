"""`invoices export schedule`: exports that the service makes by itself."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.export_options import FormatArgument, SettingsOption, ToOption, read_format_settings
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.export_schedule import Cadence, ExportSchedule

if TYPE_CHECKING:
    from serve_app.services.exports.schedules import ScheduleService

T = TypeVar("T")

schedule_app = typer.Typer(no_args_is_help=True, help="Exports that the service makes and delivers by itself.")

ScheduleArgument = Annotated[
    UUID, typer.Argument(metavar="SCHEDULE", help="The schedule's id, see: invoices export schedule list.")
]


@schedule_app.command()
def add(
    account: AccountArgument,
    format: FormatArgument,
    to: ToOption,
    every: Annotated[
        Cadence, typer.Option("--every", help="Each day, on Mondays, or on the first of each month.")
    ] = Cadence.DAILY,
    hour: Annotated[int, typer.Option(min=0, max=23, help="The hour of the day, in UTC.")] = 18,
    settings: SettingsOption = None,
) -> None:
    """Export what is ready and in no export yet, regularly, and deliver the files."""
    from serve_app.services.exports.schedules import NewSchedule

    chosen = None if settings is None else read_format_settings(settings)
    new = NewSchedule(format, every, hour, to, chosen)
    try:
        made = _with_schedules(lambda schedules: schedules.add(account, new, command_line_actor()))
    except LookupError as error:
        raise CommandError(str(error)) from error
    say(_described(made))


@schedule_app.command("list")
def list_schedules(account: AccountArgument) -> None:
    """List an account's schedules, the oldest first."""
    for schedule in _with_schedules(lambda schedules: schedules.of_account(account)):
        say(_described(schedule))


@schedule_app.command()
def pause(account: AccountArgument, schedule: ScheduleArgument) -> None:
    """Make no export until the schedule is resumed."""
    _change(lambda schedules: schedules.set_paused(account, schedule, True, command_line_actor()))
    say("paused")


@schedule_app.command()
def resume(account: AccountArgument, schedule: ScheduleArgument) -> None:
    """Make exports again, from the next moment on."""
    _change(lambda schedules: schedules.set_paused(account, schedule, False, command_line_actor()))
    say("resumed")


@schedule_app.command()
def remove(account: AccountArgument, schedule: ScheduleArgument) -> None:
    """Remove a schedule. Its exports stay."""
    _change(lambda schedules: schedules.remove(account, schedule, command_line_actor()))
    say("removed")


def _described(schedule: ExportSchedule) -> str:
    next = "paused" if schedule.due_at is None else f"next {schedule.due_at:%Y-%m-%d %H:%M} UTC"
    problem = f"  problem: {schedule.problem}" if schedule.problem else ""
    when = f"{schedule.cadence} at {schedule.hour}:00 UTC"
    return f"{schedule.id}  {schedule.format}  {when}  {schedule.place}  {next}{problem}"


def _change(work: "Callable[[ScheduleService], Awaitable[None]]") -> None:
    try:
        _with_schedules(work)
    except LookupError as error:
        raise CommandError(str(error)) from error


def _with_schedules(work: "Callable[[ScheduleService], Awaitable[T]]") -> T:
    from serve_app.wiring.exports import build_schedules

    settings = checked_settings()
    return run_on_store(settings, lambda store: work(build_schedules(store, settings)))
