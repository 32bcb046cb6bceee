"""A model keeps the memory of its largest window, and no more with each page."""

import os
import subprocess
import sys

GROWTH = """
import psutil
from models.loading import VERIFIER, load_model
from models.trial_pages import page_of
from serve_app.domain.document import Document

model = load_model(VERIFIER)
sizes = []
for _ in range(6):
    for words in range(40, 440, 100):
        model.read([Document((page_of(["Total"] * words),))])
    sizes.append(psutil.Process().memory_info().rss // 1024**2)
print(sizes[-1] - sizes[1])
"""


def test_further_pages_take_no_more_memory() -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", GROWTH]
    grown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(grown) < 20
