"""A process imports what it needs, and not what only another one needs."""

import subprocess
import sys

HEAVY = ("torch", "transformers", "openvino", "cv2", "serve_app.extraction.dates.dates")
_IMPORTS = (
    "serve_app.wiring.dispatcher, serve_app.wiring.services, serve_app.wiring.webhooks, serve_app.wiring.mail_worker"
)


def test_processes_that_wait_import_no_models_and_no_patterns_of_dates() -> None:
    code = f"import sys, {_IMPORTS}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
