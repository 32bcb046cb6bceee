"""Pages of ever new sizes, and lines at the widths at which they are read, do not use up a reader's address space."""

import subprocess
import sys
from pathlib import Path

import pytest

from serve_app.documents.isolation import process

_GROWTH = """
import numpy, psutil
from serve_app.documents.ocr.networks import load_network
network, mib = load_network({name!r}, "cpu"), 1024**2
sizes = []
for step in range(2, 2 + {runs}):
    list(network.run(numpy.zeros({shape}, numpy.float32)))
    network.release()
    sizes.append(psutil.Process().memory_info().vms // mib)
print(sizes[-1] - sizes[{runs} // 2])
"""


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("PP-OCRv6_rec_small.onnx", "(1, 3, 48, 160 + 32 * (step % 10))"),
        ("PP-OCRv6_det_small.onnx", "(1, 3, 32 * step, 320)"),
    ],
)
def test_further_sizes_cost_little_address_space(name: str, shape: str, tmp_path: Path) -> None:
    code = _GROWTH.format(name=name, shape=shape, runs=20)
    command = [sys.executable, "-c", code]
    environment = process._environment(str(tmp_path))
    grown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(grown) < 50
