"""Checkpoints in an S3 bucket. Loading this module loads boto3, which takes a while."""

from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from models.config import ModelError
from models.registry.content import FILES


def download(url: str, target: Path) -> None:
    """Write the files of the checkpoint in `s3://bucket/prefix` into a folder. The environment says how boto3 connects
    (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL ...). Raises ModelError if that fails."""
    parts = urlsplit(url)
    bucket, prefix = parts.netloc, parts.path.strip("/") + "/"
    try:
        client = boto3.session.Session().client("s3")
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        for key in [found["Key"] for page in pages for found in page.get("Contents", [])]:
            name = key.removeprefix(prefix)
            # Only files of the folder itself: a name with a slash could lead elsewhere.
            if "/" not in name and any(fnmatch(name, pattern) for pattern in FILES):
                client.download_file(bucket, key, str(target / name))
    except ClientError as error:
        raise ModelError(f"{url}: {error.operation_name} failed with {error.response['Error']['Code']}") from error
    except (BotoCoreError, ValueError) as error:
        raise ModelError(f"{url}: {type(error).__name__}") from error
