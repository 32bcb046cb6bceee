"""Builds what makes exports by itself, and what takes their files."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.email_address import mail_server_form
from serve_app.domain.export import Export
from serve_app.domain.ledger_connection import ledger_of
from serve_app.domain.user_error import UserError
from serve_app.mail.export import ComposeExport
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.net.call import HttpCall
from serve_app.net.outcome import Unreachable
from serve_app.services.exports.connections import LedgerConnectionService
from serve_app.services.exports.ports import MAILTO, Call, DeliveryFailed
from serve_app.services.exports.push import Pusher
from serve_app.services.exports.schedules import ExportRounds, ScheduleService
from serve_app.services.exports.service import ExportService
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer, MailError
from serve_app.services.watching.ports import FolderProblem
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.system.thread_pools import WAITING
from serve_app.watched.places import canonical_place, open_place
from serve_app.wiring.keys import build_sealer
from serve_app.wiring.network import build_guard
from serve_app.wiring.watching import sftp_access_of


class Places:
    """Places of all kinds: `mailto:`, APIs of programs, and what can be watched. Bills are booked by `Pusher`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def canonical(self, text: str) -> str:
        """The one way to write a place. Raises UserError if nothing can be delivered there."""
        if ledger_of(text) is not None:
            return text
        if not text.startswith(MAILTO):
            return canonical_place(text)
        if mail_server_form(text.removeprefix(MAILTO)) is None:
            raise UserError(f"{text}: this is no e-mail address")
        return text

    async def deliver(self, place: str, export: Export, content: bytes) -> None:
        """Write or mail the file. Raises DeliveryFailed."""
        try:
            if place.startswith(MAILTO):
                message = ComposeExport(sender_of(self._settings))(export, content, place.removeprefix(MAILTO))
                await self._mailer.send(message)
            else:
                await WAITING.run(self._put, place, export.file_name, content)
        except (FolderProblem, MailError, UserError) as problem:
            raise DeliveryFailed(str(problem).removesuffix(".")) from problem

    def _put(self, place: str, name: str, content: bytes) -> None:
        folder = open_place(place, sftp_access_of(self._settings))
        try:
            folder.put(name, content)
        finally:
            folder.close()

    @cached_property
    def _mailer(self) -> Mailer:
        return open_mailer(self._settings)


def build_exports(store: Store, clock: Clock = utc_now) -> ExportService:
    """What makes exports."""
    return ExportService(store.exports, store.invoices, store.own_fields, AuditTrail(store.audit, clock), clock)


def build_schedules(store: Store, settings: Settings, clock: Clock = utc_now) -> ScheduleService:
    """What people do with schedules of exports."""
    audit = AuditTrail(store.audit, clock)
    return ScheduleService(store.export_schedules, build_exports(store, clock), Places(settings), audit, clock)


def build_connections(store: Store, settings: Settings, clock: Clock = utc_now) -> LedgerConnectionService:
    """What connects accounts with the APIs of other programs. Raises ValueError if the settings have no encryption
    key."""
    guard, audit = build_guard(settings, settings.webhook_networks), AuditTrail(store.audit, clock)
    return LedgerConnectionService(store.ledger_connections, build_sealer(settings), guard, audit, clock)


def _build_call(settings: Settings) -> Call:
    http = HttpCall(build_guard(settings, settings.webhook_networks))

    async def call(method: str, url: str, headers: Mapping[str, str], body: bytes | None = None) -> tuple[int, Any]:
        try:
            return await http(method, url, headers, body)
        except Unreachable as error:
            raise DeliveryFailed(f"{url.split('/')[2]} cannot be reached: {error.reason}") from None

    return call


def build_export_rounds(store: Store, settings: Settings, clock: Clock = utc_now) -> ExportRounds:
    """What runs them. Raises ValueError if the settings have no encryption key."""
    exports, audit = build_exports(store, clock), AuditTrail(store.audit, clock)
    pusher = Pusher(store.ledger_connections, store.invoices, build_sealer(settings), _build_call(settings))
    return ExportRounds(store.export_schedules, store.exports, exports, Places(settings), pusher, audit, clock)
