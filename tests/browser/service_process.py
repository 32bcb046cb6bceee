"""The service of these tests as a process that can be killed: `python -m tests.browser.service_process FOLDER PORT`."""

import json
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from tests.browser.conftest import BlankPages, settings_in
from tests.browser.service import served


def main() -> None:
    """Serve until killed; one line says where, and who may sign in how."""
    folder, port = sys.argv[1:]
    with served(settings_in(Path(folder)), BlankPages(), int(port), pile=2) as service:
        sys.stdout.write(json.dumps(asdict(service)) + "\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
