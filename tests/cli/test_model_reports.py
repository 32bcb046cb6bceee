"""What `invoices models` says of each replica."""

import pytest

from actors.model_host import ModelStatus, Refusal
from serve_app.commands.models import describe
from tests.support import NOON

REFUSED = Refusal({"checkpoint": "/srv/new"}, "config.json\nis missing", NOON)
WHY = "    refused 2026-05-17 12:00:07 UTC: /srv/new: config.json is missing"
SINCE = "Extractor-new r1: e@1 since 2026-05-17 12:00:07 UTC"


@pytest.mark.parametrize(
    ("status", "lines"),
    [
        (None, ["Extractor-new r1: no model yet"]),
        (ModelStatus("e@1", {}, NOON), [SINCE]),
        (ModelStatus("e@1", {}, NOON, REFUSED), [SINCE, WHY]),
        # Of a pair beside the first one, which stays without a model.
        (ModelStatus(None, {}, NOON, REFUSED), ["Extractor-new r1: no model", WHY]),
    ],
)
def test_a_replica_is_described(status: ModelStatus | None, lines: list[str]) -> None:
    assert list(describe("Extractor-new", "r1", status)) == lines
