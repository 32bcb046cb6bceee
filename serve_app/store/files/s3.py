"""The bytes of documents in an S3 bucket. Loading this module loads boto3, which takes a while."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from serve_app.domain.errors import ServiceError, StoreUnreachable
from serve_app.domain.user_error import UserError
from serve_app.store.base.files import StoredFile
from serve_app.store.files.keys import check_key
from serve_app.store.files.s3_place import S3Place
from serve_app.system.thread_pools import WAITING

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ListObjectsV2OutputTypeDef

T = TypeVar("T")

_MISSING = {"NoSuchKey", "404"}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class S3Limits:
    """Limits of the calls: timeouts in seconds, tries and threads. `read_seconds` is the longest silence; a call is
    tried `attempts` times with a growing pause."""

    connect_seconds: float = 5.0
    read_seconds: float = 20.0
    attempts: int = 3
    threads: int = 16


DEFAULT_LIMITS = S3Limits()


class S3Files:
    """Files in an existing bucket. The credentials must allow getting, putting and deleting objects and listing the
    bucket (otherwise S3 does not distinguish a missing file from a forbidden one). Raises UserError if boto3 cannot
    use them."""

    def __init__(self, place: S3Place, limits: S3Limits = DEFAULT_LIMITS) -> None:
        self._place = place
        self._client = connect(place, limits)
        self._pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="s3-files")

    async def write(self, key: str, data: bytes) -> None:
        bucket, name = self._find(key)
        await self._off_loop(lambda: self._client.put_object(Bucket=bucket, Key=name, Body=data))

    async def read(self, key: str) -> bytes:
        bucket, name = self._find(key)
        return await self._off_loop(lambda: self._client.get_object(Bucket=bucket, Key=name)["Body"].read())

    async def delete(self, key: str) -> None:
        bucket, name = self._find(key)
        await self._off_loop(lambda: self._client.delete_object(Bucket=bucket, Key=name))

    async def keys_in(self, folder: str) -> list[str]:
        bucket, name = self._find(folder)
        # Without the prefix of the bucket, which keys do not have.
        skipped = len(name) - len(folder)

        def listed() -> list[str]:
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{name}/")
            return [found["Key"][skipped:] for page in pages for found in page.get("Contents", [])]

        return await self._off_loop(listed)

    async def list_all(self) -> AsyncIterator[StoredFile]:
        prefix = self._place.name_of("")
        listing = self._client.get_paginator("list_objects_v2")
        pages: Iterator[ListObjectsV2OutputTypeDef] = iter(listing.paginate(Bucket=self._place.bucket, Prefix=prefix))
        while (page := await self._off_loop(lambda: next(pages, None))) is not None:
            for found in page.get("Contents", []):
                yield StoredFile(found["Key"][len(prefix) :], found["ETag"])

    async def tidy(self) -> int:
        """Nothing to do: S3 keeps an object as a whole or not at all."""
        return 0

    async def close(self) -> None:
        """Returns once the calls in progress have ended."""
        await WAITING.run(self._pool.shutdown)
        self._client.close()

    def _find(self, key: str) -> tuple[str, str]:
        check_key(key)
        return self._place.bucket, self._place.name_of(key)

    async def _off_loop(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.wrap_future(self._pool.submit(work))
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code in _MISSING:
                raise FileNotFoundError("there is no such file") from error
            raise self._out_of_reach(f"{error.operation_name}: {code}") from error
        except BotoCoreError as error:
            raise self._out_of_reach(type(error).__name__) from error

    def _out_of_reach(self, why: str) -> ServiceError:
        """Logs only the error's name: the library's messages may repeat parts of the configuration."""
        extra = {"bucket": self._place.bucket, "endpoint": self._place.endpoint_url}
        log.error("files out of reach: %s", why, extra=extra)
        return StoreUnreachable()


def connect(place: S3Place, limits: S3Limits = DEFAULT_LIMITS, name: str = "FILES_URL") -> "S3Client":
    """A client for the bucket. Raises UserError, which begins with `name`, if boto3 cannot use its configuration."""
    config = Config(
        connect_timeout=limits.connect_seconds,
        read_timeout=limits.read_seconds,
        retries={"mode": "standard", "total_max_attempts": limits.attempts},
        max_pool_connections=limits.threads,
    )
    if place.endpoint_url is not None:
        config = config.merge(_COMPATIBLE)
    try:
        # A separate session: boto3's default one is not meant for several threads.
        session = boto3.session.Session(region_name=place.region)
        return session.client("s3", endpoint_url=place.endpoint_url, config=config)
    except BotoCoreError as error:
        raise UserError(f"{name}: boto3 cannot use its configuration ({type(error).__name__})") from error


# What S3 services other than Amazon's understand: the bucket in the path, and none of Amazon's newer checksums.
_COMPATIBLE = Config(
    s3={"addressing_style": "path"},
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
