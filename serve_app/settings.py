"""All settings of the service, typed, in one place. Environment variables carry the field's name in upper case."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import OcrOptions, ReadOptions
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.key_file import kept_key
from serve_app.net.addresses import parse_networks
from serve_app.sealing import Sealer, keys_in, new_key
from serve_app.store.files.url import files_url_or_default, folder_of

_SQLITE = "sqlite:///"
_SIGNING_KEY_BYTES = 32


class Settings(BaseSettings):
    """What a deployment can choose. Frozen and picklable: one driver reads it, every worker gets the same copy."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_file=None, hide_input_in_errors=True)

    database_url: str = "sqlite:///data/invoices.db"
    """`sqlite:///relative/path`, `sqlite:////absolute/path` or `mongodb://host/database`."""
    files_url: str | None = None
    """Where the documents' bytes lie: a folder (a plain path or `file:///absolute/path`), `gridfs` (in the database of
    `database_url`), `mongodb://host/database`, or `s3://bucket/prefix?endpoint_url=https://host&region=name`. Unset:
    `data/files` with SQLite, `gridfs` with MongoDB."""

    public_url: str | None = None
    """Where clients reach the service, for the links that it gives: `https://invoices.example.com`; needed with
    `smtp_url`. Unset: the address that the request came to, as the caller names it."""
    signing_key: SecretStr | None = Field(default=None, min_length=32)
    """Signs download links; at least 32 characters, the same for all replicas. Unset: kept in `signing_key_file`."""
    signing_key_file: str = "data/signing.key"
    """Where the signing key is kept, for its owner only; made at the first start."""
    encryption_key: SecretStr | None = None
    """Encrypts the secrets of webhook endpoints: 32 random bytes in URL-safe base64, the same for all replicas and
    commands. Several, separated by commas: the first encrypts, all decrypt. Unset: kept in `encryption_key_file`."""
    encryption_key_file: str = "data/encryption.key"
    """Where the encryption key is kept, for its owner only; made at the first start."""

    smtp_url: SecretStr | None = None
    """Where mail is handed in: `smtp://user:password@host:587` (STARTTLS, which `?starttls=no` turns off) or
    `smtps://user:password@host:465`. Unset: mail is written to files in `mail_folder`."""
    smtp_seconds: float = Field(default=20.0, gt=0, le=50)
    """How long the mail server may take for one mail."""
    mail_from: str | None = None
    """Whom mail comes from: `Invoices <invoices@example.com>`; needed with `smtp_url`."""
    mail_folder: str = "data/mail"
    """Where mail is written as files."""

    lease_seconds: float = Field(default=30.0, gt=0, le=600)
    """How long a claim lasts without a heartbeat before another worker may take the document up."""
    heartbeat_seconds: float = Field(default=10.0, gt=0)
    poll_seconds: float = Field(default=1.0, gt=0)
    """How often a dispatcher looks for due documents, and a deliverer for due deliveries, if nothing wakes it."""
    max_running: int = Field(default=8, ge=1)
    """Documents that one dispatcher works on at a time."""
    max_running_per_account: int = Field(default=8, ge=1)
    """Documents of one account that are worked on at a time, by all dispatchers together."""
    reservation_seconds: float = Field(default=3600.0, gt=0)
    """How long taking in one document may last; what is older was left by a crash and is tidied up."""
    housekeeping_seconds: float = Field(default=60.0, gt=0)
    """How often a dispatcher and a deliverer tidy up."""
    max_lost_claims: int = Field(default=3, ge=1)
    """Workers that one document may cost before it fails as `extraction_interrupted`."""
    retry_seconds: float = Field(default=120.0, ge=0)
    """How long a run tries again in place while a worker it needs is out of reach; the heartbeat keeps its lease."""
    max_releases: int = Field(default=100, ge=1)
    """Runs given back because a worker stayed out of reach: about 20 hours of back-off before the document fails."""
    stop_seconds: float = Field(default=20.0, ge=0)
    """How long a stopping dispatcher lets running documents finish before it hands them back."""

    wait_seconds: float = Field(default=60.0, gt=0)
    """How long a create call with `wait=true` is held."""
    wait_poll_seconds: float = Field(default=0.1, gt=0)
    max_held_calls: int = Field(default=200, ge=0)
    """Calls that one process holds at a time; beyond it `wait=true` is answered with 202 at once."""

    max_file_bytes: int = Field(default=MAX_FILE_BYTES, ge=1, le=MAX_FILE_BYTES)
    """Largest document accepted: "15 MB" is read as 15 MiB (15,728,640 bytes), the more generous reading. No more than
    that: the proxy refuses what the largest such document cannot need."""
    allowed_networks: str = ""
    """Networks that the service may connect to although they are not public (`10.1.0.0/16,fd00::/8`), for `file_url` in
    a closed installation; there plain http is allowed, too."""
    fetch_seconds: float = Field(default=20.0, gt=0)
    """How long fetching a `file_url` may take in all."""
    webhook_seconds: float = Field(default=10.0, gt=0, le=10)
    """How long a webhook endpoint may take to answer, in all."""
    rate_limit: int = Field(default=60, ge=1)
    """Requests of one key in one calendar minute."""

    calibration: Path | None = None
    """JSON file of the calibration of confidence that goes with the models; unset: that of the bundled models."""

    ocr_engine: str = OcrOptions().engine
    """What reads pictures of pages; docs/operator.md names the choices."""
    ocr_languages: str = "+".join(OcrOptions().languages)
    """Languages that documents may be in, by Tesseract's names, joined with `+`; each one more costs a little time."""
    ocr_device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where an OCR engine that can use a GPU runs; `auto`: on a GPU where there is one."""
    max_pages: int = Field(default=200, ge=1)
    """Pages of one document; with more it fails as `document_too_large`."""
    max_megapixels: int = Field(default=100, ge=1)
    """Millions of pixels of one page or picture; with more it fails as `document_too_large`."""
    reader_page_seconds: float = Field(default=120.0, gt=0)
    """How long a reader may take for one page before it is killed; 100 megapixels take some 50 s of a busy core."""
    reader_seconds: float = Field(default=900.0, gt=0, le=900)
    """How long a reader may take for one document, both tries together. The dispatcher waits for four of these."""
    reader_memory_mb: int = Field(default=2048, ge=1024)
    """Address space of a reader process in MiB: what a page of 100 megapixels needs, and a fifth more."""

    def read_options(self) -> ReadOptions:
        """How documents are read, by these settings."""
        limits = Limits(
            max_pages=self.max_pages,
            max_pixels=self.max_megapixels * 1_000_000,
            page_seconds=self.reader_page_seconds,
            max_seconds=self.reader_seconds,
            max_memory_bytes=self.reader_memory_mb * MIB,
        )
        return ReadOptions(limits, OcrOptions(self.ocr_engine, tuple(self.ocr_languages.split("+")), self.ocr_device))

    def resolved(self) -> Self:
        """The same settings with absolute paths, so that workers in another folder mean the same files."""
        return self.model_copy(
            update={
                "database_url": _absolute_database(self.database_url),
                "files_url": str(self.files_folder or self.files_place),
                "signing_key_file": str(Path(self.signing_key_file).absolute()),
                "encryption_key_file": str(Path(self.encryption_key_file).absolute()),
                "mail_folder": str(Path(self.mail_folder).absolute()),
                "calibration": self.calibration and self.calibration.absolute(),
            }
        )

    def with_keys(self) -> Self:
        """The same settings with both keys; one that is not set is made and kept in its file where there is none yet.
        OSError where that cannot be done, ValueError where a file holds no such key."""
        signing = self.signing_key or _kept(self.signing_key_file, lambda: secrets.token_urlsafe(_SIGNING_KEY_BYTES))
        encryption = self.encryption_key or _kept(self.encryption_key_file, new_key)
        _sealer(encryption)
        return self.model_copy(update={"signing_key": signing, "encryption_key": encryption})

    @field_validator("allowed_networks")
    @classmethod
    def _check_networks(cls, networks: str) -> str:
        parse_networks(networks)
        return networks

    @field_validator("encryption_key")
    @classmethod
    def _check_encryption_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None:
            _sealer(key)
        return key

    @property
    def files_place(self) -> str:
        """`files_url`, or the place that goes with the database where it is not set."""
        return files_url_or_default(self.files_url, self.database_url)

    @property
    def files_folder(self) -> Path | None:
        """The folder that the files lie in, absolute; None where they lie elsewhere."""
        return folder_of(self.files_place)


def sqlite_path(url: str) -> Path | None:
    """The absolute path of the database file that `url` names, or None where it is no SQLite URL."""
    return Path(url.removeprefix(_SQLITE)).absolute() if url.startswith(_SQLITE) else None


def _kept(path: str, make: Callable[[], str]) -> SecretStr:
    return SecretStr(kept_key(Path(path), make))


def _sealer(key: SecretStr) -> Sealer:
    return Sealer(keys_in(key.get_secret_value()))


def _absolute_database(url: str) -> str:
    path = sqlite_path(url)
    return url if path is None else f"{_SQLITE}{path}"
