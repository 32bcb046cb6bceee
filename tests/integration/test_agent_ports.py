"""Ray's raylet is told the ports of its agents, and they listen there."""

import socket

import pytest
import ray

from serve_app.commands.agent_ports import RANGE
from tests.integration.conftest import Service

pytestmark = pytest.mark.ray

PORTS = ("MetricsAgentPort", "MetricsExportPort", "RuntimeEnvAgentPort", "DashboardAgentListenPort")


@pytest.mark.parametrize("name", PORTS)
def test_an_agent_listens_on_the_port_that_was_chosen_for_it(service: Service, name: str) -> None:
    (node,) = ray.nodes()  # type: ignore[no-untyped-call]
    assert node[name] in RANGE
    with socket.create_connection(("127.0.0.1", node[name]), timeout=10):
        pass
