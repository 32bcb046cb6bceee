"""The pages about the API: their examples run, and they leave nothing of the API out."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from serve_app.domain.batch import Section
from serve_app.domain.errors import QuotaReached, RateLimitReached, RequestInFlight, ServiceError
from serve_app.http.error_table import answer_to
from serve_app.settings import Settings
from tests.api.contract import additions
from tests.api.contract.errors import ERRORS
from tests.api.contract.mistakes import WITH_KEY
from tests.api.live import Live, live_service
from tests.support.mails import READ

ROOT = Path(__file__).parent.parent.parent
# In an order in which the examples run: each may use what those before it have made.
NAMES = [
    *("tutorials/first-invoice", "reference/api", "reference/api-review", "reference/api-exports"),
    *(
        "reference/api-invoices",
        "reference/api-orders",
        "reference/api-coding",
        "reference/api-own-fields",
        "reference/api-account",
        "reference/invoice",
    ),
    *("how-to/send-documents", "how-to/follow-changes"),
    "reference/errors",
]
PAGE = "\n##\n".join((ROOT / "docs" / f"{name}.md").read_text() for name in NAMES)


def blocks(language: str, text: str = PAGE) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def live(settings: Settings, tmp_path: Path) -> Iterator[Live]:
    changes = {
        **{"rate_limit": 1000, "wait_seconds": 20, "mail_folder": str(tmp_path / "mail")},
        "max_file_bytes": 15 * 1024 * 1024,
    }
    with live_service(settings.model_copy(update=changes), lambda *_: [Section(1, 1, READ)]) as live:
        yield live


@pytest.fixture
def environment(live: Live, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the examples take from outside."""
    headers = {"Authorization": f"Bearer {live.full_key}"}
    answer = httpx.get(f"{live.url}/v1/invoices?status=complete&limit=1", headers=headers)
    event = httpx.get(f"{live.url}/v1/events?limit=1", headers=headers).json()["data"][0]["id"]
    endpoint = httpx.get(f"{live.url}/v1/webhook_endpoints", headers=headers).json()["data"][0]["id"]
    mail = httpx.get(f"{live.url}/v1/mails", headers=headers).json()["data"][0]["id"]
    order = httpx.get(f"{live.url}/v1/purchase-orders", headers=headers).json()["data"][0]["id"]
    ids = {
        "MAIL": mail,
        "ORDER": order,
        "EXPORT": _exported(live, headers),
        "ID": answer.json()["data"][0]["id"],
        "EVENT": event,
        "ENDPOINT": endpoint,
    }
    values = {"API": live.url, "KEY": live.full_key, **ids}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ROOT)
    return {**os.environ, **values}


def _exported(live: Live, headers: dict[str, str]) -> str:
    """The id of an export; a second invoice is ready for the next one."""
    template = {"columns": [{"title": "number", "source": "number"}], "tax_codes": {"19": "19"}}
    with httpx.Client(base_url=live.url, headers=headers) as api:
        for number in ("E-1", "E-2"):
            files = {"file": ("a.pdf", b"%PDF-1.7 " + number.encode(), "application/pdf")}
            invoice = api.post("/v1/invoices?wait=true", files=files, timeout=30).json()
            fields = {"invoice_number": {"value": number}, "amount": {"value": "1190.00"}}
            change = {"revision": 0, "fields": fields, "status": "confirmed"}
            api.put(f"/v1/invoices/{invoice['id']}/review", json=change).raise_for_status()
            if number == "E-1":
                export = api.post("/v1/exports", json={"format": "template", "settings": template})
                export.raise_for_status()
    return str(export.json()["id"])


def test_every_curl_example_runs(environment: dict[str, str], tmp_path: Path) -> None:
    examples = [example.replace("-o ", f"-o {tmp_path}/") for example in blocks("sh")]
    assert len(examples) > len(WITH_KEY)
    # What deletes the invoice of the others comes last.
    for example in sorted(examples, key=lambda example: "DELETE" in example):
        done = subprocess.run(["bash", "-ec", example], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, example + done.stderr
        if "DELETE" in example or "-o " in example:
            assert done.stdout == ""
        else:
            assert "error" not in json.loads(done.stdout), example + done.stdout
    assert (tmp_path / "page.jpg").read_bytes()[:2] == b"\xff\xd8"
    assert (tmp_path / "einvoice.xml").read_bytes().startswith(b"<")


@pytest.mark.usefixtures("environment")
def test_the_python_examples_run_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    try:
        for example in blocks("python"):
            exec(compile(example, "docs", "exec"), names)  # noqa: S102
    finally:
        names["api"].close()
    assert names["answer"].is_success
    assert "ACME GmbH" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "naps"),
    [(QuotaReached(10), []), (RateLimitReached(60, 17), [17, 17]), (RequestInFlight(), [5, 5])],
)
def test_the_loop_that_tries_again_never_sleeps_until_next_month(
    error: ServiceError, naps: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third answer is a success."""
    (loop,) = [example for example in blocks("python") if "for attempt in" in example]
    answer = answer_to(error)
    retry = str(9 * 24 * 3600) if isinstance(error, QuotaReached) else answer.headers["Retry-After"]
    answers = [httpx.Response(answer.status, json=answer.envelope, headers={"Retry-After": retry}) for _ in naps or [0]]
    transport = httpx.MockTransport(lambda _: answers.pop(0) if answers else httpx.Response(202, json={}))
    slept: list[float] = []
    clock = SimpleNamespace(sleep=slept.append)
    monkeypatch.chdir(ROOT)
    with httpx.Client(base_url="http://service", transport=transport) as api:
        exec(compile(loop, "docs", "exec"), {"api": api, "time": clock})  # noqa: S102
    assert slept == naps


@pytest.mark.parametrize("name", [endpoint.name for endpoint in WITH_KEY])
def test_every_endpoint_has_an_example_in_curl_and_in_python(name: str) -> None:
    (section,) = re.findall(rf"^## {re.escape(name)}\n(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)
    path = (
        re.escape(name.split()[1]).replace(r"\{id\}", r"[^/]+").replace(r"\{n\}", r"\d+").replace(r"\{name\}", r"\w+")
    )
    for language in ("sh", "python"):
        assert any(re.search(path, example) for example in blocks(language, section))


def test_every_parameter_is_named_where_its_endpoint_is() -> None:
    for endpoint in WITH_KEY:
        (section,) = re.findall(rf"^## {re.escape(endpoint.name)}\n(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)
        bodies = [body for variants in endpoint.bodies.values() for body in variants]
        beside = additions.MORE_OF_BODIES.get(endpoint.name, {}).values()
        more = additions.QUERY.get(endpoint.name, {})
        for table in (endpoint.query, more, endpoint.headers, *bodies, *beside):
            for name in table:
                assert re.search(rf"\b{name.removesuffix('!')}\b", section), (endpoint.name, name)


def test_every_error_is_in_the_table() -> None:
    for row in (*ERRORS, *additions.ERRORS):
        assert f"| {row.status} | `{row.type}` | `{row.code}` |" in PAGE
