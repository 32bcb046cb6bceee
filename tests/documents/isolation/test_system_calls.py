"""The table of system calls against the kernel's own headers, and what must never be in it."""

import re
from pathlib import Path

import pytest

from serve_app.documents.isolation import system_calls
from serve_app.documents.isolation.system_calls import MACHINES, Check, allowed_calls

HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"__NR_(\w+)\s+(\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"__NR(?:3264)?_(\w+)\s+(\d+)"),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    header, pattern = HEADERS[machine]
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    numbers = {name: int(number) for name, number in re.findall(rf"#define {pattern}", header.read_text())}
    numbers.setdefault("newfstatat", numbers.get("fstatat", 0))
    table = system_calls._ALLOWED | system_calls._ALLOWED_WITH_GPU | system_calls._CHECKED
    column = MACHINES.index(machine)
    ours = {name: row[column] for name, row in table.items() if row[column] is not None}
    assert ours == {name: numbers[name] for name in ours}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("uses_gpu", [False, True])
def test_new_namespaces_and_foreign_processes_are_refused_with_and_without_a_gpu(machine: str, uses_gpu: bool) -> None:
    calls = allowed_calls(machine, pid=7, uses_gpu=uses_gpu)
    column = MACHINES.index(machine)
    clone, kill = (calls[system_calls._CHECKED[name][column]] for name in ("clone", "kill"))
    assert clone == Check(0, none_of_bits=0x7E020000)
    assert kill == Check(0, one_of=(0, 7))
