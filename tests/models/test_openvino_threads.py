"""Processes that compute side by side share the cores."""

import os
import subprocess
import sys

import pytest

# OpenVINO binds its threads to cores unless it is told otherwise: those of every process to the same ones, the first.
# Some are bound only while they compute, so a thread of its own looks meanwhile.
LOOK = """
import os, threading
import numpy as np

everywhere, bound, done = os.sched_getaffinity(0), set(), threading.Event()

def look():
    while not done.is_set():
        for task in os.listdir("/proc/self/task"):
            try:
                if os.sched_getaffinity(int(task)) != everywhere:
                    bound.add(task)
            except ProcessLookupError:
                pass

{load}
# While a network is prepared, OpenVINO binds threads for a moment.
looking = threading.Thread(target=look)
looking.start()
for _ in range(5):
    {run}
done.set()
looking.join()
assert not bound, f"{{len(bound)}} threads are bound to cores"
"""
OCR = """
from serve_app.documents.ocr.networks import DETECTOR, load_network

network = load_network(DETECTOR, "cpu")
"""
MODELS = """
from models.pipeline import Pipeline
from serve_app.documents.reader import read_document

pipeline, document = Pipeline(), read_document(open("samples/invoice.pdf", "rb").read())
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
@pytest.mark.parametrize(
    ("load", "run"),
    [
        (OCR, "network.run(np.zeros((1, 3, 320, 320), np.float32))"),
        (MODELS, "pipeline.read_models(document)"),
    ],
)
def test_no_thread_is_bound_to_a_core(load: str, run: str) -> None:
    # A process of its own, because threads may stay bound.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    code = LOOK.format(load=load, run=run)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
