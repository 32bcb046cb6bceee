"""What a child process spends on a document is known, without what its start took."""

import time
from pathlib import Path

from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.slices import WHOLE


def test_the_processor_time_of_a_document_is_that_of_its_reading() -> None:
    sample = (Path(__file__).parents[3] / "samples" / "invoice.pdf").read_bytes()
    supervisor = Supervisor()
    try:
        supervisor.start()
        began = time.monotonic()
        read = supervisor.read_slice(sample, WHOLE)
        # Its start takes far more. A second thread of the child may work at the same time.
        assert 0 < read.cpu_seconds <= 2 * (time.monotonic() - began)
    finally:
        supervisor.close()
