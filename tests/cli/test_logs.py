"""`invoices logs` finds the lines about a document in what a platform has collected."""

import json

import pytest
from typer.testing import CliRunner

from serve_app.commands import cli

_ACCEPTED = {"time": "2026-01-01T10:00:00", "message": "invoice accepted", "request_id": "r-1", "invoice_id": "i-1"}
_FAILED = {"time": "2026-01-01T10:00:02", "message": "run failed", "invoice_id": "i-1", "code": "document_unreadable"}
_ANSWERED = {"time": "2026-01-01T10:00:03", "message": "answered", "request_id": "r-1", "status": 200}
_OTHER = {"time": "2026-01-01T10:00:01", "message": "run failed", "invoice_id": "i-2", "seconds": {"all": 1}}


def collected(*lines: object) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@pytest.mark.parametrize("identifier", ["i-1", "r-1"])
def test_the_lines_of_a_document_and_of_its_call_are_in_order_of_time(identifier: str) -> None:
    text = "Ready after 9 s: {not JSON\n" + collected(_ANSWERED, _OTHER, _FAILED, _ACCEPTED, ["i-1"])
    done = CliRunner().invoke(cli.app, ["logs", identifier], input=text, catch_exceptions=False)
    expected = [_ACCEPTED, _FAILED, _ANSWERED] if identifier == "i-1" else [_ACCEPTED, _ANSWERED]
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected


def test_what_a_platform_writes_before_a_line_is_left_out() -> None:
    text = "invoices-1  | 2026-01-01T10:00:02Z " + collected(_FAILED)
    assert json.loads(CliRunner().invoke(cli.app, ["logs", "i-1"], input=text).stdout) == _FAILED


def test_an_id_that_no_line_has_is_an_error() -> None:
    done = CliRunner().invoke(cli.app, ["logs", "i-9"], input=collected(_OTHER))
    assert done.exit_code == 1
    assert "no line has the id i-9" in str(done.exception)
