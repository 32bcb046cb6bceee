"""A draft through the death of the service."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from serve_app.web.cookies import SESSION

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@contextmanager
def running(folder: Path, port: int) -> Iterator[dict[str, Any]]:
    """The service as a process, killed at the end as by a machine that fails."""
    command = [sys.executable, "-m", "tests.browser.service_process", str(folder), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found: dict[str, Any] = json.loads(process.stdout.readline())
            yield found
        finally:
            os.kill(process.pid, signal.SIGKILL)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def test_what_is_typed_while_the_service_is_killed_is_saved_when_it_is_back(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
    page = context.new_page()
    number, state = page.locator("#f-invoice_number"), page.locator(".saving")
    with running(tmp_path, port) as service:
        cookie = service["cookies"]["clerk"]
        context.add_cookies([{"name": SESSION, "value": cookie, "url": f"https://127.0.0.1:{port}"}])
        page.goto(service["pile"][0])
        expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
    number.fill("C-9")
    number.press("Tab")
    expect(state).to_contain_text("Not saved")
    with running(tmp_path, port):
        expect(state).to_have_text("Saved", timeout=30_000)
        page.reload()
        expect(number).to_have_value("C-9")
    context.close()
