"""What an `s3://` URL names."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from serve_app.domain.user_error import UserError

_OPTIONS = {"endpoint_url", "region"}


@dataclass(frozen=True, slots=True)
class S3Place:
    """A bucket, and the prefix of all file names in it. `endpoint_url` is the address of an S3 service other than
    Amazon's; None means Amazon's. `region` None means the environment's."""

    bucket: str
    prefix: str = ""
    endpoint_url: str | None = None
    region: str | None = None

    def name_of(self, key: str) -> str:
        """The name in the bucket of the file with this key."""
        return f"{self.prefix}/{key}" if self.prefix else key


def parse_s3_url(url: str, name: str = "FILES_URL") -> S3Place:
    """`s3://bucket/prefix?endpoint_url=https://host:port&region=name`, all but the bucket optional. Raises UserError
    for anything else, which says `name` instead of the URL; credentials are not allowed in it."""
    parts = urlsplit(url)
    if not parts.netloc or "@" in parts.netloc:
        raise UserError(
            f"{name}: an s3:// URL has the form s3://bucket/prefix; the credentials come from AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY or another source that boto3 knows"
        )
    options = _options(parts.query, name)
    prefix = unquote(parts.path).strip("/")
    return S3Place(parts.netloc, prefix, _endpoint(options.get("endpoint_url"), name), options.get("region"))


def _options(query: str, name: str) -> dict[str, str]:
    options = dict(parse_qsl(query))
    unknown = options.keys() - _OPTIONS
    if unknown:
        known = ", ".join(sorted(_OPTIONS))
        raise UserError(f"{name}: s3:// has no option {', '.join(sorted(unknown))}; its options are {known}")
    return options


def _endpoint(url: str | None, name: str) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
        raise UserError(f"{name}: endpoint_url must be http://host:port or https://host:port, without credentials")
    return url
