"""The settings of the service, typed, in one place. Environment variables carry the field's name in upper case."""

from pathlib import Path
from typing import Literal
from uuid import UUID

from pydantic import Field, SecretStr, field_validator

from serve_app.documents.limits import MIB
from serve_app.documents.options import OcrOptions
from serve_app.domain.ids import parse_id
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.domain.target_precision import TargetPrecision
from serve_app.keys.rules import check_encryption_key, check_signing_key
from serve_app.net.addresses import parse_networks
from serve_app.settings.edge import EdgeSettings
from serve_app.settings.files_url import files_url_or_default, folder_of
from serve_app.settings.graph import GraphNumbers
from serve_app.settings.places import place_of
from serve_app.settings.prices import PriceSettings

ADAPTERS = frozenset({"aws", "azure", "mindee"})
"""The names that `compat` can have."""


_MOST_MEASURED = 50
"""Each account has a dozen series, which Prometheus keeps for each machine."""


class SettingsFields(EdgeSettings, PriceSettings):
    """All settings of a deployment, each checked separately."""

    database_url: str = "sqlite:///data/invoices.db"
    """`sqlite:///relative/path`, `sqlite:////absolute/path` or `mongodb://host/database`."""
    files_url: str | None = None
    """Where document files are stored: a folder (a plain path or `file:///absolute/path`), `gridfs` (in the database of
    `database_url`), `mongodb://host/database`, or `s3://bucket/prefix?endpoint_url=https://host&region=name`. Unset:
    `data/files` with SQLite, `gridfs` with MongoDB."""

    public_url: str | None = None
    """The base URL of the service for links: `https://invoices.example.com`; required with `smtp_url`. Unset: the
    address and port of the request."""
    links_follow_host: bool = False
    """Without `public_url`, start links with the request's Host header. Safe only if a proxy sets the header."""
    signing_key: SecretStr | None = None
    """Signs download links; at least 32 characters, the same for all replicas. Unset: read from `signing_key_file`."""
    signing_key_file: str = "data/signing.key"
    """The file with the signing key, readable only by its owner; created at the first start on a single machine."""
    encryption_key: SecretStr | None = None
    """Encrypts the secrets of webhook endpoints: 32 random bytes in URL-safe base64, the same for all replicas and
    commands. With several keys, separated by commas, the first one encrypts and all decrypt. Unset: read from
    `encryption_key_file`."""
    encryption_key_file: str = "data/encryption.key"
    """The file with the encryption key, readable only by its owner; created at the first start on a single machine."""

    smtp_url: SecretStr | None = None
    """The server that sends mail: `smtp://user:password@host:587` (STARTTLS, which `?starttls=no` turns off) or
    `smtps://user:password@host:465`. Unset: mail is written to files in `mail_folder`."""
    smtp_seconds: float = Field(default=20.0, gt=0, le=50)
    """Time limit for sending one message to the mail server."""
    mail_from: str | None = None
    """Sender of mail: `Invoices <invoices@example.com>`; required with `smtp_url`."""
    mail_folder: str = "data/mail"
    """The folder for mail files."""

    mail_domain: str = "localhost"
    """The domain of the private addresses that receive invoices: `in.example.com`."""
    mail_smtp: str = "127.0.0.1:8025"
    """The address where `invoices mail` and `invoices serve` accept mail by SMTP: `host:port`. Empty: none."""
    mail_lmtp: str = ""
    """The same for LMTP, for a mail server in front."""
    mail_hostname: str | None = None
    """The host name in the SMTP greeting, the target of the MX record of `mail_domain`. Unset: `mail_domain`."""
    mail_tls_certificate: Path | None = None
    """The certificate for STARTTLS, with its chain, in PEM; read again when it changes. Unset: no encryption."""
    mail_tls_key: Path | None = None
    """The key of this certificate."""
    mail_behind_proxy: bool = False
    """Expect the PROXY protocol on each connection; only from `trusted_mail_networks`."""
    mail_connections: int = Field(default=100, ge=1)
    """Maximum mail connections per process."""
    mails_per_peer: int = Field(default=30, ge=1)
    """Maximum mails per minute from one IP address (IPv6: one /64 network) outside `trusted_mail_networks`."""
    max_mail_bytes: int = Field(default=25 * MIB, ge=1, le=50 * MIB)
    """Maximum size of a mail. Attachments are a third larger in a mail."""
    mails_per_address: int = Field(default=300, ge=1)
    """Maximum mails per private address and day (UTC)."""
    mail_megabytes_per_address: int = Field(default=1024, ge=1)
    """Maximum MiB of mail per private address and day."""
    raw_mail_days: int = Field(default=30, ge=7, le=90)
    """Days to keep original mails. After that, only the outcome of their parts is stored."""
    mail_http_secret: SecretStr | None = Field(default=None, min_length=32)
    """The secret of providers (except Mailgun) that deliver mails (docs/how-to/receive-mail.md). Unset: none can."""
    mailgun_signing_key: SecretStr | None = None
    """The "HTTP webhook signing key" of the Mailgun account. Unset: Mailgun cannot deliver mails."""
    trusted_authserv_id: str = ""
    """The `Authentication-Results` id of the mail server in front. Its results replace the service's own checks. The
    server must remove such headers from others."""
    trusted_mail_networks: str = "127.0.0.0/8,::1/128"
    """The networks of that server. Its results count only for mails from there or from a mailbox."""

    imap_url: SecretStr | None = None
    """A mailbox with new mails to read: `imaps://user:password@host:993/INBOX`. Without a password, an OAuth token is
    used. Needs `imap_address`."""
    imap_address: str | None = None
    """The private address for mails from the mailbox."""
    imap_move_to: str | None = None
    """The existing folder for accepted mails. Unset: they stay in the mailbox."""
    imap_oauth_token_url: str | None = None
    """The token URL for the mailbox (XOAUTH2)."""
    imap_oauth_client_id: str | None = None
    """The client id for tokens."""
    imap_oauth_client_secret: SecretStr | None = None
    """The secret that goes with it."""
    imap_oauth_refresh_token: SecretStr | None = None
    """A refresh token of the mailbox's owner. Unset: the service uses client credentials."""
    imap_oauth_scope: str = ""
    """The scope of the token, such as `https://outlook.office365.com/.default` at Microsoft."""
    imap_file: Path | None = None
    """A TOML file with further mailboxes, one table `[[mailbox]]` each: `url`, `address`, `move_to`, `oauth_token_url`
    and so on."""

    watch_poll_seconds: float = Field(default=2.0, gt=0, le=3600)
    """Interval at which watched folders are scanned (docs/how-to/watch-a-folder.md)."""
    watch_settle_seconds: float = Field(default=10.0, ge=0, le=3600)
    """How long size and time of a file in a watched folder must be unchanged before it is read."""
    watch_places: str = ""
    """Folders, buckets and SFTP folders, separated by commas, below which operators may add watched folders in the web
    application. Empty: only `invoices folder add` adds some."""
    watch_sftp_key_file: Path | None = None
    """The private key for watched folders on SFTP servers."""
    watch_sftp_password: SecretStr | None = None
    """The password for these servers, or of the private key."""
    watch_sftp_known_hosts: Path | None = None
    """The public keys of these servers, as OpenSSH writes them. Unset: `~/.ssh/known_hosts`."""

    approval_mails_per_account: int = Field(default=200, ge=1)
    """Maximum approval mails per account and day (UTC)."""
    approval_mails_per_recipient: int = Field(default=50, ge=1)
    """Maximum approval mails per recipient and day."""

    oidc_issuer: str | None = None
    """The identity provider for sign-in (OpenID Connect): `https://login.example.com/realms/main`. Needs
    `oidc_client_id` and `oidc_client_secret`. Plain http is allowed only for addresses of this machine."""
    oidc_client_id: str | None = None
    """The client id of this service at the identity provider."""
    oidc_client_secret: SecretStr | None = None
    """The secret that goes with it."""
    oidc_name: str | None = None
    """The name of the identity provider on the sign-in page. Unset: its host."""
    cookies_over_http: bool = False
    """Allow sign-in over plain http at addresses other than this machine's own. Anyone on the network path can then
    take over sessions."""
    sign_in_mails_per_address: int = Field(default=6, ge=1)
    """Maximum sign-in mails to one address per hour and requester. A requester is an IP address (IPv6: one /64 network)
    or a browser that signed in before. For all requesters together, the limit is five times higher."""
    sign_in_attempts_per_peer: int = Field(default=60, ge=1)
    """Maximum failed sign-in attempts per hour from one IP address; further failures get 429. Valid links and codes
    always work."""

    metrics_listen: str = "127.0.0.1:9464"
    """The address of the metrics endpoint on each machine: `host:port`. Empty: no metrics."""
    metrics_folder: str = "data/metrics"
    """The folder for metrics on each machine's local disk."""
    metrics_accounts: str = ""
    """Ids of accounts, separated by commas, that have own series; at most 50. Empty: none."""

    otel_exporter_otlp_endpoint: str | None = None
    """The OpenTelemetry collector (HTTP) for traces: `http://127.0.0.1:4318`. Unset: no traces."""

    lease_seconds: float = Field(default=30.0, gt=0, le=600)
    """Seconds without a heartbeat until another worker can claim a document."""
    heartbeat_seconds: float = Field(default=10.0, gt=0)
    """Interval of the heartbeat; at most half of `lease_seconds`."""
    poll_seconds: float = Field(default=1.0, gt=0)
    """Poll interval of dispatchers (documents) and deliverers (deliveries) without a wake-up."""
    max_running: int = Field(default=8, ge=1)
    """Maximum documents in progress per dispatcher."""
    max_long_running: int = Field(default=64, ge=0)
    """Maximum further documents per dispatcher that are read in slices and mostly wait."""
    max_page_reads: int = Field(default=16, ge=1)
    """Maximum parallel calls per dispatcher for further pages of these documents."""
    max_running_per_account: int = Field(default=8, ge=1)
    """Maximum documents in progress per account, over all dispatchers."""
    reservation_seconds: float = Field(default=3600.0, gt=0)
    """Time limit for accepting one document. Older reservations come from crashes and are removed."""
    housekeeping_seconds: float = Field(default=60.0, gt=0)
    """Interval of housekeeping in dispatchers and deliverers."""
    keep_values_days: int = Field(default=0, ge=0)
    """Days until invoices are removed with all their data; 0: never. An account can have its own rule."""
    keep_documents_days: int = Field(default=0, ge=0)
    """Days until documents are removed while their values stay; 0: never."""
    keep_events_days: int = Field(default=0, ge=0)
    """Days until events and their deliveries move to archive files; 0: never."""
    max_wait_seconds: float | None = Field(default=None, gt=0)
    """Maximum estimated wait until the start of a document. If the wait would be longer, no documents of the account
    are accepted: the API answers 503 `queue_too_long`, sending mail servers retry later, and the web application shows
    when to try again. Unset: no limit."""
    max_lost_claims: int = Field(default=3, ge=1)
    """Maximum lost workers per document; after that, it fails as `extraction_interrupted`."""
    retry_seconds: float = Field(default=120.0, ge=0)
    """Seconds to retry within a run while a worker is unreachable; the heartbeat keeps the lease."""
    max_releases: int = Field(default=100, ge=1)
    """Maximum released runs per document because of unreachable workers, until it fails; 100: about 20 h."""
    stop_seconds: float = Field(default=20.0, ge=0)
    """Seconds for a stopping dispatcher to finish running documents before it releases them; at least 5 s less than the
    `graceful_shutdown_timeout_s` of its deployment."""

    wait_seconds: float = Field(default=60.0, gt=0)
    """Maximum seconds to hold a create call with `wait=true`."""
    wait_poll_seconds: float = Field(default=0.1, gt=0)
    max_held_calls: int = Field(default=200, ge=0)
    """Maximum held calls per process; further calls with `wait=true` get 202 immediately."""

    target_precision: TargetPrecision = TargetPrecision.STANDARD
    """The share of `high` values that must be right, for accounts that chose nothing else: 0.99, 0.995 or 0.999. The
    calibrations must have been fitted for it (docs/explanation/confidence.md)."""
    audit_share: float = Field(default=0.02, ge=0, le=1)
    """The share of automatically verified invoices in the audit sample. Their reviews measure the accuracy of `high`
    (docs/explanation/review.md). 0: none."""

    max_file_bytes: int = Field(default=MAX_FILE_BYTES, ge=1, le=MAX_FILE_BYTES)
    """Maximum size of a document; default and upper limit are 15 MiB (15,728,640 bytes), because the proxy refuses
    larger bodies."""
    accept_xml: bool = False
    """Whether the API takes electronic invoices as XML files, also signed, as the web application and e-mail always do.
    By default, it answers 415 for them."""
    vies_url: str = ""
    """Base address of the API of VIES, the European Union's register of tax numbers, which is asked about suppliers.
    Empty: nothing is asked."""
    supplier_list: Path | None = None
    """CSV file of suppliers that must not be paid, or whose accounts are known (docs/reference/supplier-list.md). It is
    read again when it changes."""
    compat: str = ""
    """The adapters for programs written for other vendors' APIs, separated by commas: `aws`, `azure`, `mindee`. Empty:
    none."""
    file_url_networks: str = ""
    """Non-public networks that `file_url` can reach (`10.1.0.0/16,fd00::/8`); plain http is also allowed there. Anyone
    with an API key can reach them."""
    webhook_networks: str = ""
    """Non-public networks that webhooks, and programs that book bills, can reach; plain http is also allowed there."""
    egress_proxy: SecretStr | None = None
    """A forward proxy for `file_url` fetches and webhooks: `http://user:password@proxy.example.com:3128`. These
    networks are reached without it."""
    allowed_networks: str | None = None
    """The old name of both settings, which is refused."""
    fetch_seconds: float = Field(default=20.0, gt=0)
    """Time limit for fetching a `file_url`, in total."""
    webhook_seconds: float = Field(default=10.0, gt=0, le=10)
    """Time limit for the response of a webhook endpoint, in total."""
    operator_api: bool = False
    """Whether operators can manage accounts by API (`/v1/operator`, docs/reference/api-operator.md), with keys of
    `invoices operator key create`."""
    rate_limit: int = Field(default=60, ge=1)
    """Maximum requests per key and calendar minute."""

    graph: GraphNumbers | None = None
    """Numbers of the Serve configuration, for checks against the settings. `config/serve.yaml` passes them; do not set
    this variable."""

    calibration: Path | None = None
    """JSON file with the confidence calibration, or a folder with one file per pair. Unset: the calibration of the
    bundled pair."""
    model_registry: str = "data/models"
    """Folder of the model registry for `registry://NAME@HASH` (docs/how-to/deploy-a-model.md)."""

    ocr_engine: str = OcrOptions().engine
    """The OCR engine; docs/reference/settings-documents.md lists the choices."""
    ocr_languages: str = "+".join(OcrOptions().languages)
    """Languages of documents as Tesseract names, joined with `+`; each one needs a little time."""
    ocr_device: Literal["auto", "cpu", "cuda"] = "auto"
    """The device of an OCR engine that can use a GPU; `auto`: a GPU if there is one."""
    max_pages: int = Field(default=200, ge=1)
    """Maximum pages per document; a larger document fails as `document_too_large`."""
    max_megapixels: int = Field(default=100, ge=1)
    """Maximum megapixels per page or picture; a larger document fails as `document_too_large`."""
    reader_page_seconds: float = Field(default=120.0, gt=0)
    """Time limit of a reader for one page; 100 megapixels take about 50 s on a busy core."""
    reader_seconds: float = Field(default=900.0, gt=0, le=900)
    """Time limit of readers for one document, without waiting."""
    reader_slice_seconds: float = Field(default=1.0, gt=0, le=60)
    """Seconds that a reader works on one document before it switches to another after the current page."""
    reader_memory_mb: int = Field(default=3072, ge=1024)
    """Address space of a reader process in MiB. The default is the need of a page of 100 megapixels plus 20 %."""

    reconcile_seconds: float = Field(default=120.0, gt=0, le=900)
    """Time limit for extracting invoices from a document's words; after that, it fails as `document_too_large`. 200
    pages of an ordinary invoice take about 20 s on a busy core."""

    sandbox: Literal["required", "best_effort"] = "best_effort"
    """The sandbox of reader processes (Landlock, seccomp, separate user). If the machine lacks a part of it, `required`
    refuses to start, and `best_effort` reports it and starts."""

    @field_validator("file_url_networks", "webhook_networks", "trusted_mail_networks")
    @classmethod
    def _check_networks(cls, networks: str) -> str:
        parse_networks(networks)
        return networks

    @field_validator("compat")
    @classmethod
    def _check_adapters(cls, names: str) -> str:
        unknown = _split(names) - ADAPTERS
        if unknown:
            raise ValueError(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(ADAPTERS))}")
        return names

    @field_validator("metrics_accounts")
    @classmethod
    def _check_accounts(cls, ids: str) -> str:
        found = _split(ids)
        if len(found) > _MOST_MEASURED:
            raise ValueError(f"at most {_MOST_MEASURED} accounts can have series of their own")
        if wrong := sorted(id for id in found if parse_id(id) is None):
            raise ValueError(f"no id of an account: {', '.join(wrong)}")
        return ids

    @field_validator("egress_proxy")
    @classmethod
    def _check_proxy(cls, proxy: SecretStr | None) -> SecretStr | None:
        if proxy is not None:
            # Imports the HTTP client, which commands rarely need.
            from serve_app.net.proxy import parse_proxy

            parse_proxy(proxy.get_secret_value())
        return proxy

    @field_validator("allowed_networks")
    @classmethod
    def _refuse_the_earlier_name(cls, networks: str | None) -> None:
        if networks is not None:
            raise ValueError(
                "replaced by FILE_URL_NETWORKS (the networks that `file_url` can reach with any API key) and "
                "WEBHOOK_NETWORKS (the networks that can receive webhooks)"
            )

    @field_validator("metrics_listen")
    @classmethod
    def _check_place(cls, text: str) -> str:
        place_of(text)
        return text

    @field_validator("signing_key")
    @classmethod
    def _check_signing_key(cls, key: SecretStr | None) -> SecretStr | None:
        return None if key is None else SecretStr(check_signing_key(key.get_secret_value()))

    @field_validator("encryption_key")
    @classmethod
    def _check_encryption_key(cls, key: SecretStr | None) -> SecretStr | None:
        return None if key is None else SecretStr(check_encryption_key(key.get_secret_value()))

    @property
    def adapters(self) -> frozenset[str]:
        """The names of the adapters that are switched on."""
        return _split(self.compat)

    @property
    def measured_accounts(self) -> frozenset[UUID]:
        """The ids of `metrics_accounts`."""
        return frozenset(map(UUID, _split(self.metrics_accounts)))

    @property
    def metrics_place(self) -> tuple[str, int] | None:
        """The host and the port of `metrics_listen`; None if it is empty."""
        return place_of(self.metrics_listen)

    @property
    def files_place(self) -> str:
        """`files_url`, or the default for the database if it is not set."""
        return files_url_or_default(self.files_url, self.database_url)

    @property
    def files_folder(self) -> Path | None:
        """The absolute path of the folder with the files; None if they are stored elsewhere."""
        return folder_of(self.files_place)


def _split(names: str) -> frozenset[str]:
    return frozenset(name for each in names.split(",") if (name := each.strip()))
