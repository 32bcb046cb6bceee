"""The first model: reads words with their positions on the page."""

from ray import serve

from actors.model_actor import ModelActor


@serve.deployment(max_ongoing_requests=64)
class Extractor(ModelActor):
    """Deployment of the extractor; which model it runs is its `user_config`."""

    stage = "extract"
