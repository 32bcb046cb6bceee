"""A running Ray, as `invoices deploy` needs it: over HTTP, so that the command may run beside Ray's own processes or
elsewhere. Imported only by commands that reach one."""

import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import Graph
from serve_app.commands.models import describe, reached_cluster, running_deployments, statuses
from serve_app.commands.terminal import complain
from serve_app.keys.ray_environment import ray_environment

T = TypeVar("T")
_MOST_NODES = 10_000


class RayCluster:
    """The Ray whose dashboard is at `address`. Raises CommandError if there is none."""

    def __init__(self, address: str) -> None:
        # Must precede the first import of Ray, which reads some of it then.
        os.environ.update(ray_environment())
        from ray.dashboard.modules.serve.sdk import ServeSubmissionClient
        from ray.util.state import list_nodes

        hint = f"no Ray answers at {address}: start it by `invoices head`, or set RAY_DASHBOARD_ADDRESS"
        self._client = _tried(lambda: ServeSubmissionClient(address), hint)
        nodes = _tried(lambda: list_nodes(address=address, limit=_MOST_NODES), hint)
        alive = [node.resources_total or {} for node in nodes if node.state == "ALIVE"]
        self.nodes = len(alive)
        self.resources: Mapping[str, float] = sum((Counter(each) for each in alive), Counter[str]())

    def application(self, name: str) -> Mapping[str, Any] | None:
        """As `Cluster.application`."""
        details = _tried(self._client.get_serve_details, "Ray does not answer")
        found: Mapping[str, Any] | None = details.get("applications", {}).get(name)
        return found

    def deploy(self, graph: Graph) -> None:
        """As `Cluster.deploy`."""
        from pydantic import ValidationError
        from ray.serve.schema import ServeDeploySchema

        try:
            schema = ServeDeploySchema.model_validate(graph)
        except ValidationError as error:
            first = error.errors()[0]
            raise CommandError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}; nothing was changed") from error
        sent = schema.model_dump(mode="json", exclude_unset=True)
        _tried(lambda: self._client.deploy_applications(sent), "Ray refuses the configuration")

    def refused_models(self) -> list[str]:
        """As `Cluster.refused_models`. Only a process of Ray can ask the replicas: elsewhere this says so."""
        logging.getLogger("ray.serve").setLevel(logging.ERROR)
        try:
            with reached_cluster():
                return [*_refusals()]
        except CommandError as error:
            complain(
                f"Whether replicas refused their model is not known from here ({error}): run invoices models there."
            )
            return []


def _refusals() -> list[str]:
    return [
        " ".join(line.split())
        for deployment in running_deployments()
        for replica, status in statuses(deployment).items()
        if status is not None and status.refusal is not None
        for line in [*describe(deployment, replica, status)][1:]
    ]


def _tried(call: Callable[[], T], problem: str) -> T:
    """What the call returns. Raises CommandError with the problem and the last line of an error."""
    try:
        return call()
    except Exception as error:
        # Ray raises bare Exceptions, too.
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise CommandError(f"{problem} ({lines[-1] if lines else type(error).__name__})") from error
