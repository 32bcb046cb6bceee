"""The settings of the service, typed, in one place. Environment variables carry the field's name in upper case."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator

from serve_app.documents.limits import MIB
from serve_app.documents.options import OcrOptions
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.keys.rules import check_encryption_key, check_signing_key
from serve_app.net.addresses import parse_networks
from serve_app.settings.edge import EdgeSettings
from serve_app.settings.files_url import files_url_or_default, folder_of
from serve_app.settings.graph import GraphNumbers
from serve_app.settings.places import place_of


class SettingsFields(EdgeSettings):
    """What a deployment can configure, each setting checked by itself."""

    database_url: str = "sqlite:///data/invoices.db"
    """`sqlite:///relative/path`, `sqlite:////absolute/path` or `mongodb://host/database`."""
    files_url: str | None = None
    """Where document files are stored: a folder (a plain path or `file:///absolute/path`), `gridfs` (in the database of
    `database_url`), `mongodb://host/database`, or `s3://bucket/prefix?endpoint_url=https://host&region=name`. Unset:
    `data/files` with SQLite, `gridfs` with MongoDB."""

    public_url: str | None = None
    """The base URL at which clients reach the service, for links it creates: `https://invoices.example.com`; required
    with `smtp_url`. Unset: the address and port that the request arrived at."""
    links_follow_host: bool = False
    """Whether links begin with the request's Host header, without `public_url`: safe only if a proxy sets it."""
    signing_key: SecretStr | None = None
    """Signs download links; at least 32 characters, the same for all replicas. Unset: read from `signing_key_file`."""
    signing_key_file: str = "data/signing.key"
    """The file with the signing key, readable by its owner only; created at the first start on a single machine."""
    encryption_key: SecretStr | None = None
    """Encrypts the secrets of webhook endpoints: 32 random bytes in URL-safe base64, the same for all replicas and
    commands. Several, separated by commas: the first encrypts, all decrypt. Unset: read from `encryption_key_file`."""
    encryption_key_file: str = "data/encryption.key"
    """The file with the encryption key, readable by its owner only; created at the first start on a single machine."""

    smtp_url: SecretStr | None = None
    """The server that sends mail: `smtp://user:password@host:587` (STARTTLS, which `?starttls=no` turns off) or
    `smtps://user:password@host:465`. Unset: mail is written to files in `mail_folder`."""
    smtp_seconds: float = Field(default=20.0, gt=0, le=50)
    """Time limit for handing one message to the mail server."""
    mail_from: str | None = None
    """Sender of mail: `Invoices <invoices@example.com>`; required with `smtp_url`."""
    mail_folder: str = "data/mail"
    """The folder in which mail is written as files."""

    mail_domain: str = "localhost"
    """What follows the @ sign in the private addresses to which invoices are mailed: `in.example.com`."""
    mail_smtp: str = "127.0.0.1:8025"
    """Where `invoices mail` and `invoices serve` take mail by SMTP: `host:port`. Empty: nowhere."""
    mail_lmtp: str = ""
    """The same by LMTP, for a mail server in front."""
    mail_hostname: str | None = None
    """The name in the greeting of SMTP, to which the MX record of `mail_domain` points. Unset: `mail_domain`."""
    mail_tls_certificate: Path | None = None
    """The certificate for STARTTLS, with its chain, in PEM; read again when it changes. Unset: no encryption."""
    mail_tls_key: Path | None = None
    """The key that goes with it."""
    mail_behind_proxy: bool = False
    """Whether every connection begins with the PROXY protocol; only from `trusted_mail_networks`."""
    mail_connections: int = Field(default=100, ge=1)
    """Most connections of mail that one process has open."""
    mails_per_peer: int = Field(default=30, ge=1)
    """Most mails of one IP address (IPv6: one /64 network) in a minute, unless it is in `trusted_mail_networks`."""
    max_mail_bytes: int = Field(default=25 * MIB, ge=1, le=50 * MIB)
    """Largest mail accepted, with everything in it, as it is sent: attachments are a third larger in a mail."""
    mails_per_address: int = Field(default=300, ge=1)
    """Most mails that a private address takes in a day (UTC)."""
    mail_megabytes_per_address: int = Field(default=1024, ge=1)
    """Most MiB of mail that it takes in a day."""
    raw_mail_days: int = Field(default=30, ge=7, le=90)
    """How long mails are kept as they came in. After that, only what became of their parts is known."""
    mail_http_secret: SecretStr | None = Field(default=None, min_length=32)
    """The secret of providers, except Mailgun, that deliver mails (docs/how-to/receive-mail.md). Unset: they cannot."""
    mailgun_signing_key: SecretStr | None = None
    """The "HTTP webhook signing key" of the account at Mailgun. Unset: Mailgun cannot hand over mails."""
    trusted_authserv_id: str = ""
    """The name under which the mail server in front writes `Authentication-Results`; its results are then used instead
    of the service's own. It must remove such headers of others."""
    trusted_mail_networks: str = "127.0.0.0/8,::1/128"
    """The networks of that server: only mails that come from there, or out of a mailbox, can have its results."""

    imap_url: SecretStr | None = None
    """A mailbox whose new mails are read: `imaps://user:password@host:993/INBOX`. Without a password, a token of OAuth
    is used. Needs `imap_address`."""
    imap_address: str | None = None
    """The private address that mails out of the mailbox count for."""
    imap_move_to: str | None = None
    """The folder into which mails are moved once they are accepted; it must exist. Unset: they stay."""
    imap_oauth_token_url: str | None = None
    """Where tokens for the mailbox are asked for (XOAUTH2)."""
    imap_oauth_client_id: str | None = None
    """The name of this service there."""
    imap_oauth_client_secret: SecretStr | None = None
    """The secret that goes with it."""
    imap_oauth_refresh_token: SecretStr | None = None
    """A refresh token of the mailbox's owner. Unset: the service asks in its own name (client credentials)."""
    imap_oauth_scope: str = ""
    """What the token is for: `https://outlook.office365.com/.default` at Microsoft."""
    imap_file: Path | None = None
    """A TOML file with further mailboxes, one table `[[mailbox]]` for each: `url`, `address`, `move_to`,
    `oauth_token_url` and so on, as above."""

    approval_mails_per_account: int = Field(default=200, ge=1)
    """Most approval mails that an account may send in a day (UTC)."""
    approval_mails_per_recipient: int = Field(default=50, ge=1)
    """Most of them to one recipient."""

    oidc_issuer: str | None = None
    """The identity provider at which people can sign in (OpenID Connect): `https://login.example.com/realms/main`.
    Needs `oidc_client_id` and `oidc_client_secret`; plain http only at this machine's own addresses."""
    oidc_client_id: str | None = None
    """The identity provider's name for this service."""
    oidc_client_secret: SecretStr | None = None
    """The secret that goes with it."""
    oidc_name: str | None = None
    """What the sign-in page calls the identity provider. Unset: its host."""
    cookies_over_http: bool = False
    """Whether people can sign in over plain http at other addresses than this machine's own. Their sessions can then be
    read, and taken over, by everybody on the way."""
    sign_in_mails_per_address: int = Field(default=6, ge=1)
    """Most mails for signing in to one address in an hour that one asker gets: an IP address (of IPv6: one /64
    network), or a browser in which the person signed in before. In all, five times as many."""
    sign_in_attempts_per_peer: int = Field(default=60, ge=1)
    """Failed attempts to sign in from one IP address in an hour after which further ones are answered with 429. What is
    valid is never refused."""

    metrics_listen: str = "127.0.0.1:9464"
    """Where each machine answers Prometheus: `host:port`. Empty: nowhere, and nothing is measured."""
    metrics_folder: str = "data/metrics"
    """The folder of each machine's own disk in which its processes keep what they measured."""

    otel_exporter_otlp_endpoint: str | None = None
    """The collector to which traces are sent (OpenTelemetry, HTTP): `http://127.0.0.1:4318`. Unset: nothing is
    traced."""

    lease_seconds: float = Field(default=30.0, gt=0, le=600)
    """How long a claim lasts without a heartbeat before another worker may claim the document."""
    heartbeat_seconds: float = Field(default=10.0, gt=0)
    """How often a claim is renewed; at most half of `lease_seconds`."""
    poll_seconds: float = Field(default=1.0, gt=0)
    """How often a dispatcher polls for due documents, and a deliverer for due deliveries, if nothing wakes it."""
    max_running: int = Field(default=8, ge=1)
    """How many documents one dispatcher processes at a time."""
    max_long_running: int = Field(default=64, ge=0)
    """How many more documents it may process that are read in several goes, which mostly wait for their turn."""
    max_page_reads: int = Field(default=16, ge=1)
    """How many calls for further pages of such documents each dispatcher makes at a time."""
    max_running_per_account: int = Field(default=8, ge=1)
    """How many documents of one account all dispatchers together process at a time."""
    reservation_seconds: float = Field(default=3600.0, gt=0)
    """How long accepting one document may take. An older reservation was left by a crash and is cleaned up."""
    housekeeping_seconds: float = Field(default=60.0, gt=0)
    """How often a dispatcher and a deliverer run housekeeping."""
    keep_values_days: int = Field(default=0, ge=0)
    """Days after which invoices are removed with all that they have; 0: never. An account may have its own rule."""
    keep_documents_days: int = Field(default=0, ge=0)
    """The same of documents alone, before their values."""
    keep_events_days: int = Field(default=0, ge=0)
    """The same of events and their deliveries, which move to files."""
    max_wait_seconds: float | None = Field(default=None, gt=0)
    """The longest that a document may have to wait to be started. While it would wait longer, no further documents of
    the account are accepted: the API answers 503 `queue_too_long`, mails stay with their senders' servers, which try
    again, and the web application says when to come back. Unset: all are accepted."""
    max_lost_claims: int = Field(default=3, ge=1)
    """How many workers may be lost while processing one document before it fails as `extraction_interrupted`."""
    retry_seconds: float = Field(default=120.0, ge=0)
    """How long a run retries in place while a worker it needs is unreachable; the heartbeat keeps its lease."""
    max_releases: int = Field(default=100, ge=1)
    """How many runs of a document may be released because a worker stayed away, before it fails; 100: about 20 h."""
    stop_seconds: float = Field(default=20.0, ge=0)
    """How long a stopping dispatcher lets running documents finish before it releases them; at least 5 s less than the
    `graceful_shutdown_timeout_s` of its deployment."""

    wait_seconds: float = Field(default=60.0, gt=0)
    """How long a create call with `wait=true` is held."""
    wait_poll_seconds: float = Field(default=0.1, gt=0)
    max_held_calls: int = Field(default=200, ge=0)
    """How many calls one process holds at a time; beyond that, it answers `wait=true` with 202 at once."""

    audit_share: float = Field(default=0.02, ge=0, le=1)
    """The share of automatically verified invoices that people are asked to look at all the same: what `high` is worth
    is measured on them (docs/explanation/review.md). 0: none."""

    max_file_bytes: int = Field(default=MAX_FILE_BYTES, ge=1, le=MAX_FILE_BYTES)
    """Largest document accepted. "15 MB" is interpreted generously as 15 MiB (15,728,640 bytes). It cannot be larger,
    because the proxy refuses bodies larger than such a document can need."""
    file_url_networks: str = ""
    """Non-public networks from which `file_url` may be fetched (`10.1.0.0/16,fd00::/8`), in a closed installation;
    plain http is also allowed there. Every holder of an API key can reach them."""
    webhook_networks: str = ""
    """Non-public networks to which webhooks may be sent; plain http is also allowed there."""
    egress_proxy: SecretStr | None = None
    """A forward proxy through which documents of a `file_url` are fetched and webhooks are sent, so that they come from
    one address: `http://user:password@proxy.example.com:3128`. Those networks are reached without it."""
    allowed_networks: str | None = None
    """The earlier name of both, which is refused."""
    fetch_seconds: float = Field(default=20.0, gt=0)
    """Time limit for fetching a `file_url`, in total."""
    webhook_seconds: float = Field(default=10.0, gt=0, le=10)
    """How long a webhook endpoint may take to answer, in total."""
    rate_limit: int = Field(default=60, ge=1)
    """Most requests per key in one calendar minute."""

    graph: GraphNumbers | None = None
    """What the Serve configuration gives the deployments, so that it can be checked together with the settings.
    `config/serve.yaml` passes it on; not to be set in the environment."""

    calibration: Path | None = None
    """JSON file with the confidence calibration, or a folder of one for each pair; the bundled pair has its own."""
    model_registry: str = "data/models"
    """Folder of the versions of models that `registry://NAME@HASH` means (docs/how-to/deploy-a-model.md)."""

    ocr_engine: str = OcrOptions().engine
    """The OCR engine for pictures of pages; docs/reference/settings-documents.md lists the choices."""
    ocr_languages: str = "+".join(OcrOptions().languages)
    """Languages of documents, by Tesseract's names, joined with `+`; each additional one costs a little time."""
    ocr_device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where an OCR engine that can use a GPU runs; `auto`: on a GPU if there is one."""
    max_pages: int = Field(default=200, ge=1)
    """Most pages in one document; with more it fails as `document_too_large`."""
    max_megapixels: int = Field(default=100, ge=1)
    """Most millions of pixels in one page or picture; with more the document fails as `document_too_large`."""
    reader_page_seconds: float = Field(default=120.0, gt=0)
    """How long a reader may take for one page before it is killed; 100 megapixels take about 50 s on a busy core."""
    reader_seconds: float = Field(default=900.0, gt=0, le=900)
    """How long readers may take for one document, not counting waiting."""
    reader_slice_seconds: float = Field(default=1.0, gt=0, le=60)
    """How long a reader works on a document before it turns to another, at the end of the current page."""
    reader_memory_mb: int = Field(default=3072, ge=1024)
    """Address space of a reader process in MiB: what a page of 100 megapixels needs, plus 20 %."""

    reconcile_seconds: float = Field(default=120.0, gt=0, le=900)
    """How long making invoices of a document's words may take; after that it fails as `document_too_large`. 200 pages
    of an ordinary invoice take about 20 s on a busy core."""

    sandbox: Literal["required", "best_effort"] = "best_effort"
    """Whether to read documents if the machine cannot fully sandbox the process that reads them (Landlock, seccomp, its
    own user): `required` refuses to start then, `best_effort` reports what is missing and reads."""

    @field_validator("file_url_networks", "webhook_networks", "trusted_mail_networks")
    @classmethod
    def _check_networks(cls, networks: str) -> str:
        parse_networks(networks)
        return networks

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
                "it was replaced by two settings: FILE_URL_NETWORKS, from which every holder of an API key can have"
                " documents fetched, and WEBHOOK_NETWORKS, to which webhooks may be sent; set those that are needed"
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
