"""The services that the entry points (API, web application, e-mail) need."""

from dataclasses import dataclass

from serve_app.keys.ring import Keys
from serve_app.services.accounts.callers import Callers
from serve_app.services.accounts.changes import AccountChanges
from serve_app.services.accounts.deletion import AccountDeletion
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.once import AccountsOnce
from serve_app.services.accounts.operator_keys import OperatorKeyService
from serve_app.services.accounts.plans import PlanService
from serve_app.services.accounts.rate_limit import RateLimit
from serve_app.services.accounts.service import AccountService
from serve_app.services.accounts.target_precision import TargetPrecisions
from serve_app.services.accounts.usage import UsageService
from serve_app.services.approval.service import ApprovalService
from serve_app.services.calls.service import CallLog
from serve_app.services.candidates.service import CandidateService
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.coding.chart import ChartService
from serve_app.services.coding.decisions import CodingService
from serve_app.services.coding.suggestions import CodeSuggestions
from serve_app.services.comments.service import CommentService
from serve_app.services.csv.export import CsvExport
from serve_app.services.csv.workbook import WorkbookExport
from serve_app.services.cutting.service import CuttingService
from serve_app.services.deployment.service import DeploymentService
from serve_app.services.exports.schedules import ScheduleService
from serve_app.services.exports.service import ExportService
from serve_app.services.files.einvoices import EInvoiceFiles
from serve_app.services.files.links import FileLinks
from serve_app.services.files.pictures import PagePictures
from serve_app.services.intake.create import InvoiceCreation
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.stages import RunStages
from serve_app.services.intake.uploads import UploadOpening
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.invoices.deletion import DeletionService
from serve_app.services.invoices.repeatable import RepeatableChanges
from serve_app.services.invoices.saved_views import SavedViewService
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.invoices.vendors import VendorService
from serve_app.services.mailroom.bundle import Mailroom
from serve_app.services.mailroom.sns import SnsSignatures
from serve_app.services.models.pins import ModelPins
from serve_app.services.orders.once import OrdersOnce
from serve_app.services.orders.service import OrderService
from serve_app.services.own_fields.definitions import OwnFieldService
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.own_fields.values import OwnFieldValues
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.review.bulk import BulkReview
from serve_app.services.review.memory import MemoryService
from serve_app.services.review.quality import QualityService
from serve_app.services.review.rejection import RejectionMails
from serve_app.services.review.service import ReviewService
from serve_app.services.review.target_comparison import TargetComparison
from serve_app.services.review.work import WorkService
from serve_app.services.upkeep.mail_check import MailCheck
from serve_app.services.upkeep.readiness import Readiness
from serve_app.services.watching.folders import FolderService
from serve_app.services.webhooks.bundle import Webhooks
from serve_app.services.webhooks.events import EventService
from serve_app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one process, built once by `serve_app.wiring`."""

    settings: Settings
    signing_keys: Keys
    callers: Callers
    accounts: AccountService
    account_changes: AccountChanges
    accounts_once: AccountsOnce
    operator_keys: OperatorKeyService
    plans: PlanService
    targets: TargetPrecisions
    usage: UsageService
    monthly_limits: MonthlyLimits
    account_deletion: AccountDeletion
    calls: CallLog
    rate_limit: RateLimit
    file_urls: FileUrls
    creation: InvoiceCreation
    uploads: UploadOpening
    wait: WaitForInvoice
    start_times: StartTimes
    stages: RunStages
    invoices: InvoiceService
    repeatable: RepeatableChanges
    deletions: DeletionService
    cutting: CuttingService
    file_links: FileLinks
    einvoice_files: EInvoiceFiles
    pictures: PagePictures
    approvals: ApprovalService
    csv: CsvExport
    workbooks: WorkbookExport
    reviews: ReviewService
    charts: ChartService
    coding: CodingService
    suggestions: CodeSuggestions
    own_fields: OwnFieldService
    own_values: OwnFieldValues
    own_finder: OwnFieldFinder
    memory: MemoryService
    quality: QualityService
    target_comparison: TargetComparison
    work: WorkService
    comments: CommentService
    saved_views: SavedViewService
    bulk_review: BulkReview
    rejection_mails: RejectionMails
    vendors: VendorService
    orders: OrderService
    orders_once: OrdersOnce
    events: EventService
    people: PeopleServices
    mailroom: Mailroom
    sns: SnsSignatures
    readiness: Readiness
    mail_check: MailCheck
    webhooks: Webhooks
    pins: ModelPins
    folders: FolderService
    exports: ExportService
    export_schedules: ScheduleService
    deployment: DeploymentService
    candidates: CandidateService

    async def finish(self) -> None:
        """Write what waits to be written beside calls, and stop opening files; for the end of a process."""
        await self.uploads.close()
        await self.einvoice_files.close()
        await self.callers.uses.flush()
        await self.calls.flush()
