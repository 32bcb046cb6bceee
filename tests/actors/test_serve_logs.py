"""Serve's controller and proxies log in the form of the service, also once Serve has made its handlers anew."""

import io
import json
import logging

import pytest
from ray.serve._private import logging_utils

from actors.serve_logs import SameForm, start_controller_logs


def test_new_handlers_of_serve_write_the_same_form(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setattr(logging_utils, "ServeFormatter", logging_utils.ServeFormatter)
    monkeypatch.setattr(SameForm, "levels", "info")
    monkeypatch.delenv("INVOICES_LOG", raising=False)
    monkeypatch.setenv("LOG_LEVEL", "ray.serve=debug")
    start_controller_logs()
    logging_utils.configure_default_serve_logger()  # type: ignore[no-untyped-call]
    logging.getLogger("ray.serve").debug("adding a replica", extra={"log_to_stderr": True, "route": "/v1"})
    line = json.loads(stderr.getvalue())
    assert line.keys() >= {"time", "level"}
    assert (line["logger"], line["message"], line["route"]) == ("ray.serve", "adding a replica", "/v1")
    assert "log_to_stderr" not in line
