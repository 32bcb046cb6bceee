"""What listens on all addresses is named when Ray starts, with the firewall's line that closes it."""

import shutil
import subprocess
from types import SimpleNamespace

import psutil
import pytest
from click import Command

from serve_app.commands.agent_ports import RANGE
from serve_app.commands.firewall import FIRST_WORKER_PORT, LAST_WORKER_PORT, open_ports
from serve_app.commands.ray_start import raylet_ports

HEAD = ("--head", "--block")


@pytest.fixture(autouse=True)
def interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in a public and in a private network."""
    found = {
        "lo": [SimpleNamespace(address="127.0.0.1")],
        "eth0": [SimpleNamespace(address="203.0.113.7")],
        "eth1": [SimpleNamespace(address="10.0.0.1"), SimpleNamespace(address="fe80::1%eth1")],
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: found)


def test_the_ports_of_a_head_are_closed_on_other_interfaces() -> None:
    assert open_ports([*HEAD, "--port=6380", "--node-ip-address=10.0.0.1"]) == (
        "Ray's ports listen on all addresses of this machine, TCP 6380, 10002-19999, 20000-31999, 44217, 44227; "
        "to close them except on 10.0.0.1 (eth1): nft 'add table inet invoices; "
        "add chain inet invoices input { type filter hook input priority -10; }; "
        'add rule inet invoices input iifname != { "lo", "eth1" } '
        "tcp dport { 6380, 10002-19999, 20000-31999, 44217, 44227 } drop'"
    )


@pytest.mark.parametrize("address", [["--node-ip-address=10.0.0.1"], ["--node-ip-address", "10.0.0.1"]])
def test_a_worker_has_fewer_ports(address: list[str]) -> None:
    assert "tcp dport { 10002-19999, 20000-31999 } drop" in open_ports(["--address=10.0.0.2:6379", *address])


def test_workers_of_ray_may_have_other_ports() -> None:
    line = open_ports(["--min-worker-port=40000", "--max-worker-port=40100", "--node-ip-address=10.0.0.1"])
    assert "tcp dport { 40000-40100, 20000-31999 } drop" in line


def test_without_an_address_it_asks_for_one() -> None:
    assert "TCP 6379, 10002-19999" in open_ports(HEAD)
    assert "--node-ip-address=ADDRESS" in open_ports(HEAD)


def test_an_address_that_no_interface_has_gets_no_rule() -> None:
    line = open_ports([*HEAD, "--node-ip-address=head.internal"])
    assert line.endswith("close them in the firewall, except on the interface of head.internal")


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_on_the_loopback_address_nothing_is_open(address: str) -> None:
    assert open_ports([*HEAD, f"--node-ip-address={address}"]) == f"Ray's ports listen on {address} only"


def test_the_ports_are_those_of_rays_defaults() -> None:
    from ray.scripts import scripts

    start = scripts.start
    assert isinstance(start, Command)
    defaults = {parameter.name: parameter.default for parameter in start.params}
    assert (defaults["min_worker_port"], defaults["max_worker_port"]) == (FIRST_WORKER_PORT, LAST_WORKER_PORT)


def test_the_raylets_ports_are_in_the_range_of_its_agents() -> None:
    options = raylet_ports(["--object-manager-port=8076"])
    (name, port) = options[0].split("=")
    assert (name, len(options)) == ("--node-manager-port", 1)
    assert int(port) in RANGE


def test_nftables_takes_the_line() -> None:
    nft = shutil.which("nft")
    if nft is None:
        pytest.skip("nft is not installed (Debian: nftables)")
    commands = open_ports([*HEAD, "--node-ip-address=10.0.0.1"]).partition("nft '")[2].removesuffix("'")
    run = subprocess.run([nft, "--check", commands], capture_output=True, text=True)
    if "not permitted" in run.stderr or "cache initialization failed" in run.stderr:
        pytest.skip(f"nft cannot check here: {run.stderr.strip()}")
    assert run.returncode == 0, run.stderr
