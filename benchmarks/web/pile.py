"""A pile of invoices decided one after the other in a real browser: `python -m benchmarks.web.pile [INVOICES]`.

Each has three values in doubt; the reviewer takes a reading of each (Alt+2), then confirms (Ctrl+Enter), not before the
readings are saved and the next invoice was fetched, which is sooner than a person would. Measured inside the page: from
that key until the next invoice can be worked on and is drawn; and the heap after a collection. The service runs in the
same process as the script, with a SQLite file and pictures drawn by the real child process.
"""

import os
import sys
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts.screenshots import settings_in
from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.options import ReadOptions
from serve_app.web.cookies import SESSION
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.service import Served, served

WARM = 20
"""Invoices before the heap is looked at."""
_MEASURE = """
    window.times = [];
    addEventListener("keydown", (event) => {
      if (!event.ctrlKey || event.key !== "Enter") return;
      const [started, before] = [performance.now(), location.pathname];
      const look = () => {
        const isThere = location.pathname !== before && document.activeElement?.id === "f-vendor";
        if (isThere) requestAnimationFrame(() => window.times.push(performance.now() - started));
        else requestAnimationFrame(look);
      };
      look();
    }, true);
"""


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with TemporaryDirectory(prefix="bench-pile-") as folder, sync_playwright() as playwright:
        tools = IsolatedCutter(ReadOptions())
        with served(settings_in(Path(folder)), tools, reads=False, pile=wanted + 1) as service:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            report(*decide(open_pile(browser, service), wanted))
            browser.close()
        tools.close()


def open_pile(browser: Browser, service: Served) -> Page:
    """The first of the pile, on the clerk's screen."""
    context = browser.new_context(base_url=service.url, viewport={"width": 1440, "height": 900}, locale="en-GB")
    address = service.url.replace("http:", "https:")
    context.add_cookies([{"name": SESSION, "value": service.cookies["clerk"], "url": address}])
    page = context.new_page()
    page.goto(service.pile[0])
    page.evaluate(_MEASURE)
    return page


def decide(page: Page, wanted: int) -> tuple[list[float], list[float]]:
    """Milliseconds from confirming to the next invoice, and megabytes of the heap after every hundred."""
    session = page.context.new_cdp_session(page)
    heaps = []
    for number in range(wanted):
        expect(page.locator("#desk")).to_have_attribute("data-ahead", "ready", timeout=30_000)
        for _ in range(3):
            page.keyboard.press("Alt+2")
        expect(page.locator(".saving")).to_have_text("Saved")
        page.keyboard.press("Control+Enter")
        page.wait_for_function("count => window.times.length > count", arg=number, polling=20)
        if number + 1 == WARM or (number + 1) % 100 == 0:
            session.send("HeapProfiler.collectGarbage")
            heaps.append(page.evaluate("performance.memory.usedJSHeapSize") / 1e6)
    return page.evaluate("window.times"), heaps


def report(times: list[float], heaps: list[float]) -> None:
    cuts = quantiles(times, n=20)
    print(f"{len(times)} invoices; load {os.getloadavg()[0]:.1f}")
    print(f"confirm and next, ms: p50 {cuts[9]:.0f}, p95 {cuts[18]:.0f}, longest {max(times):.0f}")
    print("heap, MB, after 20 and then every 100: " + ", ".join(f"{each:.1f}" for each in heaps))


if __name__ == "__main__":
    main()
