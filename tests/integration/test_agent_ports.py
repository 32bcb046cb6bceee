"""Ray's raylet is given the ports of its agents. On one machine these do not run, so nothing listens there."""

import socket

import pytest
import ray

from serve_app.commands.agent_ports import RANGE
from tests.integration.conftest import Service

pytestmark = pytest.mark.ray

PORTS = ("MetricsAgentPort", "MetricsExportPort", "RuntimeEnvAgentPort", "DashboardAgentListenPort")


@pytest.mark.parametrize("name", PORTS)
def test_no_agent_listens_on_one_machine(service: Service, name: str) -> None:
    (node,) = ray.nodes()  # type: ignore[no-untyped-call]
    assert node[name] in RANGE
    with socket.socket() as client:
        assert client.connect_ex(("127.0.0.1", node[name])) != 0
