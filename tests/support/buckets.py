"""S3 buckets on a server of this process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from unittest.mock import patch
from uuid import uuid4

import boto3
from moto.server import ThreadedMotoServer

from serve_app.store.files.s3_place import S3Place

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "tests",
    "AWS_SECRET_ACCESS_KEY": "a secret of tests",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "NO_PROXY": "127.0.0.1",
}


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of an in-memory S3; the credentials that it needs are in the environment meanwhile."""
    with patch.dict(os.environ, _ENVIRONMENT):
        yield _started()


@cache
def _started() -> str:
    """One for all tests: it ends with the process, because stopping it takes half a second."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    return f"http://{host}:{port}"


def new_bucket(endpoint_url: str, prefix: str = "") -> S3Place:
    """An empty bucket on this server."""
    place = S3Place(f"test-{uuid4().hex}", prefix, endpoint_url)
    with _client(place) as client:
        client.create_bucket(Bucket=place.bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    return place


def names_in(place: S3Place) -> list[str]:
    """The names of all objects in the bucket."""
    with _client(place) as client:
        return [entry["Key"] for entry in client.list_objects_v2(Bucket=place.bucket).get("Contents", [])]


@contextmanager
def _client(place: S3Place) -> Iterator["S3Client"]:
    client = boto3.client("s3", endpoint_url=place.endpoint_url)
    yield client
    client.close()
