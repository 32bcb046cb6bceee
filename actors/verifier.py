"""The second model, trained separately from the first: a value is marked high only if both agree."""

from ray import serve

from actors.model_actor import ModelActor


@serve.deployment(max_ongoing_requests=64)
class Verifier(ModelActor):
    """Deployment of the verifier; which model it runs is its `user_config`."""

    stage = "verify"
