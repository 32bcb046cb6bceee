"""The settings as a whole: read from the environment and from files, checked together, handed to other processes."""

from pathlib import Path
from typing import Any, Self

from pydantic import model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import OcrOptions, ReadOptions, SandboxOptions
from serve_app.settings.checks import contradictions
from serve_app.settings.fields import SettingsFields
from serve_app.settings.places import absolute_database, sqlite_path
from serve_app.settings.secrets import SecretFiles, secret_found_here, secrets_read_here


class Settings(SettingsFields):
    """What a deployment can configure. Frozen and picklable: one driver reads it, every worker gets the same copy,
    except for the secrets, which each process reads for itself (`serve_app.settings.secrets`)."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments come first, then the environment, then files with secrets."""
        return init_settings, env_settings, SecretFiles(settings_cls)

    def __getstate__(self) -> dict[Any, Any]:
        """Without the secrets that whoever gets this can read as this process can."""
        state, absent = super().__getstate__(), secrets_read_here(self)
        values = {name: value for name, value in state["__dict__"].items() if name not in absent}
        return {**state, "__dict__": values, "absent": absent}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        """Raises UserError if a secret that was left out is not to be found here."""
        given = dict(state)
        absent = given.pop("absent")
        super().__setstate__(given)
        for name in absent:
            self.__dict__[name] = secret_found_here(self, name)

    def read_options(self) -> ReadOptions:
        """The options for reading documents, from these settings."""
        limits = Limits(
            max_pages=self.max_pages,
            max_pixels=self.max_megapixels * 1_000_000,
            page_seconds=self.reader_page_seconds,
            max_seconds=self.reader_seconds,
            max_memory_bytes=self.reader_memory_mb * MIB,
        )
        ocr = OcrOptions(self.ocr_engine, tuple(self.ocr_languages.split("+")), self.ocr_device)
        sandbox = SandboxOptions(self.sandbox == "required", tuple(sorted(map(str, self._hidden_places()))))
        return ReadOptions(limits, ocr, sandbox)

    def _hidden_places(self) -> set[Path]:
        """Absolute paths of data and keys, which a process that reads documents never sees."""
        database = sqlite_path(self.database_url)
        given = self.signing_key_file, self.encryption_key_file, self.mail_folder, self.metrics_folder
        own = (Path(path).absolute() for path in (*given, *self._key_files()))
        folders = {database and database.parent, self.files_folder, *own}
        return {path for path in folders if path is not None}

    def _key_files(self) -> tuple[str, ...]:
        found = (self.mail_tls_key, self.imap_file, self.watch_sftp_key_file)
        return tuple(str(path) for path in found if path is not None)

    @property
    def local_folders(self) -> dict[Path, str]:
        """The folders that one service needs to itself, each with the setting that names it. There are none if the
        database is a server: then several machines may share them, and the file store says whose it is."""
        database = sqlite_path(self.database_url)
        if database is None:
            return {}
        found = {"DATABASE_URL": database.parent, "FILES_URL": self.files_folder}
        if self.smtp_url is None:
            found["MAIL_FOLDER"] = Path(self.mail_folder)
        return {folder.resolve(): name for name, folder in reversed(found.items()) if folder is not None}

    @property
    def data_folders(self) -> dict[str, Path]:
        """The folders of this machine with the database and the files, unless they are elsewhere."""
        database = sqlite_path(self.database_url)
        found = {"database": None if database is None else database.parent, "files": self.files_folder}
        return {what: folder for what, folder in found.items() if folder is not None}

    @property
    def port(self) -> int | None:
        """Where the service answers, if the Serve configuration is known."""
        return self.graph.port if self.graph else None

    def resolved(self) -> Self:
        """The same settings with absolute paths, so that workers in another folder use the same files."""
        return self.model_copy(
            update={
                "database_url": absolute_database(self.database_url),
                "files_url": str(self.files_folder or self.files_place),
                "signing_key_file": str(Path(self.signing_key_file).absolute()),
                "encryption_key_file": str(Path(self.encryption_key_file).absolute()),
                "mail_folder": str(Path(self.mail_folder).absolute()),
                "metrics_folder": str(Path(self.metrics_folder).absolute()),
                "supplier_list": self.supplier_list and self.supplier_list.absolute(),
                "calibration": self.calibration and self.calibration.absolute(),
                "model_registry": str(Path(self.model_registry).absolute()),
            }
        )

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        found = contradictions(self)
        if found:
            raise ValueError("; ".join(found))
        return self
