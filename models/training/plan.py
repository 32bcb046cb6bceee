"""What is trained: the two models and how they differ."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transformers import PreTrainedModel

from models.encoding import LayoutEncoder, PageEncoder, TextEncoder
from models.loading import Adapter
from models.pieces import WordPieces
from models.training.bases import multilingual_e5
from models.training.generator import Profile
from models.training.start import Body, layout_model, text_model


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """One model's training.

    The two models differ in what they see (words with boxes, or words in lines) and in how their documents are
    sampled (`profile`, `first_seed`), so that they are rarely wrong in the same way.
    """

    name: str
    adapter: Adapter
    profile: Profile
    first_seed: int
    body: Body
    network: Callable[[Path, Body], PreTrainedModel]
    encoder: Callable[[WordPieces], PageEncoder]

    @property
    def uses_boxes(self) -> bool:
        return self.adapter is Adapter.LAYOUT_TOKENS


_E5 = Body(multilingual_e5)
PLANS = {
    plan.name: plan
    for plan in (
        TrainingPlan("extractor", Adapter.LAYOUT_TOKENS, Profile.EXTRACTOR, 0, _E5, layout_model, LayoutEncoder),
        TrainingPlan(
            "verifier",
            Adapter.TEXT_TOKENS,
            Profile.VERIFIER,
            1_000_000_000,
            Body(multilingual_e5),
            text_model,
            TextEncoder,
        ),
    )
}
