"""Which device a model is to run on."""

import ctypes
from functools import cache


@cache
def has_cuda() -> bool:
    """Whether the driver finds a GPU that this process may use. Asked of the driver itself (`cuInit`,
    `cuDeviceGetCount`), because importing torch costs 200 MB."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


def runs_on_cpu(device: str) -> bool:
    """Whether `device` in a configuration means the CPU."""
    return device == "cpu" or (device == "auto" and not has_cuda())
