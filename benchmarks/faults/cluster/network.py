"""A network on this host that nothing outside can reach, with machines in it. It needs root, and is gone with the
processes that use it."""

import os
import subprocess
import sys

HERE = "10.77.0.1"
"""The address of the process that runs the cluster."""
_INSIDE = "FAULTS_CLUSTER_NETWORK"
_BRIDGE = "machines"


def enter_own_network(module: str) -> None:
    """Go on with this program in a network of its own, and a view of the file system in which it may name networks."""
    if _INSIDE not in os.environ:
        os.environ[_INSIDE] = "1"
        inside = ["unshare", "--net", "--mount", sys.executable, "-m", module, *sys.argv[1:]]
        os.execvp(inside[0], inside)  # noqa: S606 - this program
    os.makedirs("/run/netns", exist_ok=True)
    _do("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
    _do("ip", "link", "set", "lo", "up")
    _do("ip", "link", "add", _BRIDGE, "type", "bridge")
    _do("ip", "address", "add", f"{HERE}/24", "dev", _BRIDGE)
    _do("ip", "link", "set", _BRIDGE, "up")


def add_address(name: str, address: str) -> None:
    """Add a network with this name, which has this address in ours."""
    _do("ip", "netns", "add", name)
    _do("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
    _do("ip", "link", "set", f"to-{name}", "master", _BRIDGE, "up")
    _do("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
    _do("ip", "-n", name, "link", "set", "eth0", "up")
    _do("ip", "-n", name, "link", "set", "lo", "up")
    _do("ip", "-n", name, "route", "add", "default", "via", HERE)


def within(name: str, *command: str) -> list[str]:
    """The command, as it is run in that network."""
    return ["ip", "netns", "exec", name, *command]


def _do(*command: str) -> None:
    subprocess.run(command, check=True)  # noqa: S603 - names and addresses of ours
