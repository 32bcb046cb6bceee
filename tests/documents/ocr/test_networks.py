"""Lines and strips at the sizes at which they are seen do not use up a reader's address space."""

import subprocess
import sys
from pathlib import Path

import pytest

from serve_app.documents.isolation import process

_GROWTH = """
import numpy, psutil
from serve_app.documents.ocr.line_networks import load_line_network
from serve_app.documents.ocr.networks import DETECTOR, load_network
network, mib = {load}, 1024**2
sizes = []
for step in range(2, 2 + {runs}):
    values = numpy.zeros({shape}, numpy.float32)
    {run}
    sizes.append(psutil.Process().memory_info().vms // mib)
print(sizes[-1] - sizes[{runs} // 2])
"""


@pytest.mark.parametrize(
    ("load", "shape", "run"),
    [
        ('load_line_network("cpu")', "(1, 3, 48, 160 + 32 * (step % 10))", "network.read([values])"),
        (
            'load_network(DETECTOR, "cpu")',
            "(1, 3, 320, 512 + 64 * (step % 5))",
            "list(network.run(values))",
        ),
    ],
)
def test_further_sizes_cost_little_address_space(load: str, shape: str, run: str, tmp_path: Path) -> None:
    code = _GROWTH.format(load=load, shape=shape, run=run, runs=20)
    command = [sys.executable, "-c", code]
    environment = process._environment(str(tmp_path))
    grown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(grown) < 50
