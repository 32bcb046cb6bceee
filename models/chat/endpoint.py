"""Where a chat model is, and how it is asked: the key `endpoint` of a model's configuration."""

import ipaddress
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Sends(StrEnum):
    """What the model is shown of a page."""

    WORDS = "words"
    PICTURES = "pictures"
    BOTH = "both"


class Endpoint(BaseModel):
    """A server with OpenAI's chat protocol; docs/reference/model-configuration.md explains every key.

    `url` ends before `/chat/completions`. Documents leave the machine unless it is this one, so `documents_go_to` must
    then repeat the host's name. `seconds` is the time for a page, all `tries` included; `parallel` is how many pages
    are asked about at a time, `most_tokens` how long an answer may be.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    documents_go_to: str | None = None
    key_file: Path | None = None
    sends: Sends = Sends.BOTH
    prompt: Path | None = None
    seconds: float = Field(default=60, gt=0, le=600)
    tries: int = Field(default=3, ge=1, le=10)
    parallel: int = Field(default=8, ge=1, le=256)
    most_tokens: int = Field(default=4096, ge=64)

    @model_validator(mode="after")
    def _check_url(self) -> "Endpoint":
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url must look like http://127.0.0.1:8001/v1, not {self.url}")
        if parts.username or parts.password:
            raise ValueError("the key belongs into a file that key_file names, not into the url")
        if not _is_this_machine(parts.hostname) and self.documents_go_to != parts.hostname:
            raise ValueError(
                f"pages of customers' documents would be sent to {parts.hostname}; if that is meant, say so: "
                f"documents_go_to: {parts.hostname}"
            )
        return self


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
