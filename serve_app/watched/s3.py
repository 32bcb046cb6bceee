"""A watched prefix of an S3 bucket. Loading this module loads boto3, which takes a while.

Objects cannot be renamed: a file is copied and then deleted, each only in the listed version. S3 services other than
Amazon's may not know conditional deletion; there, the version is checked just before.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from serve_app.services.watching.ports import (
    Destination,
    FileChanged,
    FileUnreadable,
    FolderEntry,
    FolderProblem,
)
from serve_app.services.watching.report import HEAD_BYTES
from serve_app.store.files.s3 import connect
from serve_app.store.files.s3_place import S3Place
from serve_app.watched.names import REPORT, free_name, is_ignored, is_in_ignored

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectTypeDef

_CHANGED = {"NoSuchKey", "404", "PreconditionFailed", "412", "ConditionalRequestConflict"}
_UNREADABLE = {"AccessDenied", "403", "InvalidObjectState"}
"""Forbidden, or in an archive."""


class BucketFolder:
    """The credentials must allow listing the bucket, and getting, putting and deleting objects below the prefix."""

    def __init__(self, place: S3Place, name: str, client: "S3Client") -> None:
        self._bucket = place.bucket
        self._place = place
        self._name = name
        self._client = client
        self.problem = ""

    @classmethod
    def open(cls, place: S3Place, name: str) -> "BucketFolder":
        """`name` is the place for people. Raises UserError if boto3 cannot use its configuration."""
        return cls(place, name, connect(place, name=name))

    def prepare(self) -> None:
        with self._errors():
            for destination in Destination:
                key = self._key(f"{destination}/.{secrets.token_hex(8)}.tmp")
                self._client.put_object(Bucket=self._bucket, Key=key, Body=b"")
                self._client.delete_object(Bucket=self._bucket, Key=key)

    def entries(self) -> Iterator[FolderEntry]:
        with self._errors():
            # The destinations may hold far more than the rest, so their objects are not listed.
            for found, folders in self._listed(self._key(""), "/"):
                yield from found
                for folder in folders:
                    for below, _ in self._listed(folder, ""):
                        yield from below

    def read(self, entry: FolderEntry, max_bytes: int) -> bytes:
        with self._errors(), _changed():
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=self._key(entry.path), IfMatch=entry.version)
                data = answer["Body"].read(max_bytes + 1)
            except ClientError as error:
                if _code(error) in _UNREADABLE:
                    raise FileUnreadable(_code(error)) from error
                raise
        if len(data) != entry.size or entry.size > max_bytes:
            raise FileChanged
        return data

    def move(self, entry: FolderEntry, destination: Destination, content: str, report: bytes) -> None:
        folder = f"{destination}/{entry.path}"[: -len(entry.name)]
        with self._errors(), _changed():
            self._check(entry)
            name = free_name(entry.name, content, partial(self._head, folder), partial(self._exists, folder))
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._key(f"{folder}{name}{REPORT}"),
                Body=report,
                ContentType="application/json",
            )
            source = self._key(entry.path)
            self._client.copy_object(
                Bucket=self._bucket,
                Key=self._key(f"{folder}{name}"),
                CopySource={"Bucket": self._bucket, "Key": source},
                CopySourceIfMatch=entry.version,
            )
            if self._place.endpoint_url is None:
                self._client.delete_object(Bucket=self._bucket, Key=source, IfMatch=entry.version)
            else:
                self._check(entry)
                self._client.delete_object(Bucket=self._bucket, Key=source)

    def put(self, name: str, data: bytes) -> None:
        with self._errors():
            self._client.put_object(Bucket=self._bucket, Key=self._key(name), Body=data)

    def close(self) -> None:
        self._client.close()

    def _listed(self, prefix: str, delimiter: str) -> Iterator[tuple[list[FolderEntry], list[str]]]:
        """Files and folders below the prefix, page by page."""
        listing = self._client.get_paginator("list_objects_v2")
        place = partial(listing.paginate, Bucket=self._bucket, Prefix=prefix)
        for page in place(Delimiter=delimiter) if delimiter else place():
            found = [self._entry(each) for each in page.get("Contents", [])]
            folders = [each["Prefix"] for each in page.get("CommonPrefixes", [])]
            yield (
                [entry for entry in found if entry.name and not is_in_ignored(entry.path)],
                [folder for folder in folders if not is_ignored(folder[len(self._key("")) : -1])],
            )

    def _entry(self, found: "ObjectTypeDef") -> FolderEntry:
        return FolderEntry(found["Key"][len(self._key("")) :], found["Size"], found["ETag"])

    def _check(self, entry: FolderEntry) -> None:
        self._client.head_object(Bucket=self._bucket, Key=self._key(entry.path), IfMatch=entry.version)

    def _head(self, folder: str, name: str) -> bytes:
        """The start of an object; empty if there is none."""
        with suppress(FileChanged), _changed():
            key, start = self._key(folder + name), f"bytes=0-{HEAD_BYTES - 1}"
            return self._client.get_object(Bucket=self._bucket, Key=key, Range=start)["Body"].read()
        return b""

    def _exists(self, folder: str, name: str) -> bool:
        with suppress(FileChanged), _changed():
            self._client.head_object(Bucket=self._bucket, Key=self._key(folder + name))
            return True
        return False

    def _key(self, path: str) -> str:
        return self._place.name_of(path)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Only the error's name: the library's messages may repeat parts of the configuration."""
        try:
            yield
        except ClientError as error:
            raise FolderProblem(f"{self._name}: {error.operation_name}: {_code(error)}.") from error
        except BotoCoreError as error:
            raise FolderProblem(f"{self._name}: {type(error).__name__}.") from error


@contextmanager
def _changed() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if _code(error) in _CHANGED:
            raise FileChanged from error
        raise


def _code(error: ClientError) -> str:
    return error.response["Error"]["Code"]
