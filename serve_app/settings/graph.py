"""Numbers of the Serve configuration that the settings depend on."""

from pydantic import BaseModel, ConfigDict


class GraphNumbers(BaseModel):
    """What the Serve configuration gives the deployments; the settings must fit it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    port: int
    request_timeout_s: float
    """After this time Serve answers a request itself."""
    ingress_ongoing_requests: int
    """How many requests a replica of the Ingress takes at a time."""
    ingress_stop_s: float
    """How long a stopping replica of the Ingress may go on; likewise the next two."""
    dispatcher_stop_s: float
    delivery_stop_s: float
    fewest_models: int = 1
    """How many replicas each model has at least; 0: none while nothing waits."""
