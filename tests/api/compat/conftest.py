"""The service with all adapters, in this process, and on a real socket for the vendors' own clients."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from serve_app.domain.batch import Section
from serve_app.settings import Settings
from serve_app.settings.fields import ADAPTERS
from tests.api.compat.readings import sections_of
from tests.api.live import Live, live_service


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"compat": ", ".join(ADAPTERS), "max_file_bytes": 2**20, "rate_limit": 1000})


@dataclass
class Shelf:
    """Which invoices the next file contains."""

    sections: list[Section] = field(default_factory=lambda: sections_of("invoice.pdf"))

    def __call__(self, *_: object) -> list[Section]:
        return self.sections


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def live(settings: Settings, shelf: Shelf) -> Iterator[Live]:
    with live_service(settings, shelf) as live:
        yield live
