"""Builds the services of the entry points: API, web application and e-mail."""

from collections.abc import Sequence

from serve_app.documents.isolation.validator import IsolatedValidator
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.model_report import ModelReport
from serve_app.mail.factory import open_mail_server, open_mailer
from serve_app.net.fetch import Fetcher
from serve_app.services.accounts.callers import Callers
from serve_app.services.accounts.once import AccountsOnce
from serve_app.services.accounts.rate_limit import RateLimit
from serve_app.services.bundle import Services
from serve_app.services.calls.service import CallLog
from serve_app.services.coding.chart import ChartService
from serve_app.services.coding.decisions import CodingService
from serve_app.services.coding.suggestions import CodeSuggestions
from serve_app.services.csv.export import CsvExport
from serve_app.services.csv.workbook import WorkbookExport
from serve_app.services.cutting.service import CuttingService
from serve_app.services.deployment.service import DeploymentService
from serve_app.services.files.einvoices import EInvoiceFiles
from serve_app.services.files.links import FileLinks
from serve_app.services.files.pictures import PagePictures
from serve_app.services.intake.create import InvoiceCreation
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.stages import RunStages
from serve_app.services.invoices.repeatable import RepeatableChanges
from serve_app.services.invoices.saved_views import SavedViewService
from serve_app.services.invoices.vendors import VendorService
from serve_app.services.mailroom.sns import SnsSignatures
from serve_app.services.orders.once import OrdersOnce
from serve_app.services.own_fields.definitions import OwnFieldService
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.own_fields.values import OwnFieldValues
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import (
    EInvoiceWriter,
    FileOpener,
    ModelReporting,
    Notifier,
    PageTools,
)
from serve_app.services.review.bulk import BulkReview
from serve_app.services.review.target_comparison import TargetComparison
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.mail_check import MailCheck
from serve_app.services.upkeep.readiness import Probe, Readiness
from serve_app.services.webhooks.events import EventService
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.accounts import (
    build_account_changes,
    build_account_deletion,
    build_accounts,
    build_monthly_limits,
    build_operator_keys,
    build_plans,
    build_targets,
    build_usage,
)
from serve_app.wiring.approval import build_approvals
from serve_app.wiring.candidates import build_candidate_service
from serve_app.wiring.exports import build_exports, build_schedules
from serve_app.wiring.intake import build_intake, build_start_times, build_uploads, build_wait
from serve_app.wiring.invoices import build_deletions, build_invoices
from serve_app.wiring.keys import build_signing_keys
from serve_app.wiring.mailroom import build_mailroom
from serve_app.wiring.network import build_guard
from serve_app.wiring.orders import build_orders
from serve_app.wiring.people import build_people
from serve_app.wiring.pins import build_pins
from serve_app.wiring.probes import build_probes
from serve_app.wiring.review import (
    build_comments,
    build_memory,
    build_quality,
    build_rejection_mails,
    build_watched_reviews,
    build_work,
)
from serve_app.wiring.wake_requests import build_wake_request
from serve_app.wiring.watching import build_folders
from serve_app.wiring.webhooks import build_webhooks


async def _no_reports() -> list[ModelReport]:
    return []


def build_services(
    store: Store,
    files: Files,
    notifier: Notifier,
    cutter: PageTools,
    models: Probe,
    settings: Settings,
    clock: Clock = utc_now,
    sandbox_missing: Sequence[str] = (),
    reports: ModelReporting = _no_reports,
    mailroom: Notifier | None = None,
    pairs: Sequence[str] = (),
    opener: FileOpener | None = None,
    einvoices: EInvoiceWriter | None = None,
) -> Services:
    """The services for the API of one process. `notifier` notifies a dispatcher of a queued document, `mailroom` a mail
    worker of a queued mail; `models` returns if both models answer; `/readyz` names `sandbox_missing`, and `reports`
    asks the models' replicas; `pairs` are the pairs of models beside the first one; `opener` takes uploaded files
    apart, `einvoices` writes electronic invoices, each by default in a process of its own that starts on first use and
    ends with `finish`. Raises
    ValueError if the settings have no signing or encryption key, or an unusable mail server or sender."""
    signing_keys, mailer = build_signing_keys(settings), open_mailer(settings)
    fetcher = Fetcher(build_guard(settings, settings.file_url_networks), settings.fetch_seconds)
    wake, wait = Wake(notifier), build_wait(store, settings)
    intake = build_intake(store, files, wake, settings, clock)
    readiness = Readiness(
        store.connection,
        models,
        sandbox_missing=sandbox_missing,
        folders=settings.data_folders.values(),
        further=build_probes(store, files, settings, clock),
    )
    start_times = build_start_times(store, settings, clock)
    limits = build_monthly_limits(store, settings, clock)
    invoices = build_invoices(store, files, limits, wake, clock)
    quality = build_quality(store, settings, mailer, clock)
    reviews = build_watched_reviews(store, files, quality, clock)
    work = build_work(store, clock)
    own_fields = OwnFieldService(store.own_fields, AuditTrail(store.audit, clock))
    return Services(
        settings=settings,
        signing_keys=signing_keys,
        callers=Callers(store.keys, limits, clock, settings.target_precision),
        accounts=build_accounts(store, clock),
        account_changes=build_account_changes(store, clock),
        accounts_once=AccountsOnce(store.accounts, store.idempotency, clock),
        operator_keys=build_operator_keys(store, clock),
        plans=build_plans(store),
        targets=build_targets(store, settings, clock),
        usage=build_usage(store, settings, clock),
        monthly_limits=limits,
        account_deletion=build_account_deletion(store, files, clock),
        calls=CallLog(store.calls, clock),
        rate_limit=RateLimit(store.rate_windows, settings.rate_limit, clock),
        file_urls=FileUrls(fetcher, settings.max_file_bytes),
        sns=SnsSignatures(fetcher, clock),
        creation=InvoiceCreation(
            intake, wait, store.invoices, store.idempotency, settings.wait_seconds, clock, start_times
        ),
        uploads=build_uploads(settings, opener),
        wait=wait,
        start_times=start_times,
        stages=RunStages(store.queue),
        invoices=invoices,
        repeatable=RepeatableChanges(store.invoices, store.idempotency, clock),
        deletions=build_deletions(store, files, clock),
        cutting=CuttingService(store, files, limits, cutter, invoices, wake, clock),
        pictures=PagePictures(store.invoices, files, cutter),
        file_links=FileLinks(store.invoices, files, cutter, signing_keys, clock),
        einvoice_files=EInvoiceFiles(
            store.invoices, files, cutter, einvoices or IsolatedValidator(settings.read_options())
        ),
        approvals=build_approvals(store, settings, mailer, signing_keys, clock),
        csv=CsvExport(store.invoices, store.own_fields),
        workbooks=WorkbookExport(CsvExport(store.invoices, store.own_fields)),
        reviews=reviews,
        charts=ChartService(store.charts, AuditTrail(store.audit, clock)),
        coding=CodingService(store.charts, store.invoices, reviews, clock),
        suggestions=CodeSuggestions(store.charts, store.coding_examples),
        own_fields=own_fields,
        own_values=OwnFieldValues(own_fields, store.invoices, files, reviews),
        own_finder=OwnFieldFinder(store.own_fields, store.own_field_examples),
        memory=build_memory(store, files, clock),
        quality=quality,
        target_comparison=TargetComparison(files),
        work=work,
        comments=build_comments(store, settings, mailer, clock),
        saved_views=SavedViewService(store.saved_views),
        bulk_review=BulkReview(store.invoices, reviews, work, clock),
        rejection_mails=build_rejection_mails(store, settings, mailer, clock),
        vendors=VendorService(store.vendors, AuditTrail(store.audit, clock)),
        orders=build_orders(store, files, clock),
        orders_once=OrdersOnce(store.purchase_orders, store.idempotency, clock),
        events=EventService(store.events),
        people=build_people(store, settings, mailer, clock),
        mailroom=build_mailroom(store, files, settings, clock, build_wake_request(mailroom)),
        readiness=readiness,
        mail_check=MailCheck(open_mail_server(settings)),
        webhooks=build_webhooks(store, settings, clock),
        pins=build_pins(store, pairs, clock),
        folders=build_folders(store, settings, clock),
        exports=build_exports(store, clock),
        export_schedules=build_schedules(store, settings, clock),
        deployment=DeploymentService(store, settings, readiness, reports, clock),
        candidates=build_candidate_service(store, clock),
    )
