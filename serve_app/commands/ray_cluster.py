"""A running Ray, as `invoices deploy` needs it. Imported only by commands that reach one."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import Graph
from serve_app.commands.models import describe, reached_cluster, running_deployments, statuses


class RayCluster:
    """The cluster to which this process is connected; `client` takes its configurations."""

    def __init__(self, client: Any) -> None:
        import ray

        self._client = client
        self.nodes = sum(bool(node["Alive"]) for node in ray.nodes())  # type: ignore[no-untyped-call]
        self.resources: Mapping[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]

    def application(self, name: str) -> Mapping[str, Any] | None:
        """As `Cluster.application`."""
        details = self._tried(self._client.get_serve_details)
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
        self._tried(lambda: self._client.deploy_applications(schema.model_dump(mode="json", exclude_unset=True)))

    def refused_models(self) -> list[str]:
        """As `Cluster.refused_models`."""
        return [
            " ".join(line.split())
            for deployment in running_deployments()
            for replica, status in statuses(deployment).items()
            if status is not None and status.refusal is not None
            for line in [*describe(deployment, replica, status)][1:]
        ]

    def _tried(self, call: Any) -> Any:
        try:
            return call()
        except (RuntimeError, OSError, ValueError) as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            raise CommandError(
                f"Ray refuses or does not answer: {lines[-1] if lines else type(error).__name__}"
            ) from error


@contextmanager
def reached_ray(address: str) -> Iterator[RayCluster]:
    """The cluster of RAY_ADDRESS, whose dashboard is at `address`. Raises CommandError if there is none."""
    with reached_cluster():
        from ray.dashboard.modules.serve.sdk import ServeSubmissionClient

        try:
            client = ServeSubmissionClient(address)
        except (ConnectionError, RuntimeError, OSError) as error:
            raise CommandError(
                f"Ray's dashboard does not answer at {address}: start Ray by `invoices head`, or set "
                "RAY_DASHBOARD_ADDRESS"
            ) from error
        yield RayCluster(client)
